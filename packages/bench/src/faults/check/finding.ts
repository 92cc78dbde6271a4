export type Finding = { readonly what: string; readonly found: number | string; readonly holds: boolean }
