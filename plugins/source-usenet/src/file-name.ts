/** Without what clients read as a folder or a password: `/`, `{{…}}`. */
export function fileName(title: string): string {
  return (
    title
      .replaceAll(/[/\\:*?"<>|{}\p{Cc}]+/gu, " ")
      .replaceAll(/\s+/gu, " ")
      .trim()
      .slice(0, 150) || "release"
  );
}
