/** The version of these files in their addresses. The words are loaded in the same version. */
export const version = document.documentElement.dataset.version;
