// Saves a file that the page made, in the way in which the browser saves downloads.

/** Starts the download; the browser asks where to put it, or says where it is. */
export function saveFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun by then; until it begins, the browser needs the URL.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 60_000);
}
