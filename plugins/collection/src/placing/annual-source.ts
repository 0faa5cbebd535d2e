/**
 * The name under which a folder remembers where the annuals of a series belong, where that is a series of their own.
 */
export const annualSource = (sourceName: string) => `${sourceName} | annuals`;
