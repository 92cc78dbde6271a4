/** The path of the console with a slash at the end, such as `/console/`. The entry file is in its folder `assets`. */
export const BASE_PATH: string = new URL(import.meta.url).pathname.replace(/[^/]*\/[^/]*$/, '')
