/** A file by the descriptor of the server's open file, which all threads share. */
interface PictureRequest {
  readonly descriptor: number;
  readonly sizeBytes: number;
}

// A type, since an interface has no index signature.
export type CoverTasks = {
  readonly commentPicture: { readonly input: PictureRequest; readonly output: Uint8Array | undefined };
};
