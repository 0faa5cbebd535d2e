/** The first account of a test's server. */
export const account = { username: "ada", password: "correct horse battery" };
