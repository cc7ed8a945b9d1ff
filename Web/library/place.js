/** The version of these files, which stands in their addresses; it loads the words of the same day. */
export const version = document.documentElement.dataset.version;
