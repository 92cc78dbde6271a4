/** The version of Onward. A test compares it with all other places that name it. */
export const VERSION = '0.1.0'
