/** The path of the console with a slash at the end, such as `/console/`. The entry file is in its folder `assets`. */
export const BASE_PATH: string = new URL(import.meta.url).pathname.replace(/[^/]*\/[^/]*$/, '')

/** Returns the address of both APIs, without a slash at the end: the gateway serves them and the console at one address. */
export const publicUrl = (): string => new URL(`${BASE_PATH}..`, location.origin).href.replace(/\/$/, '')
