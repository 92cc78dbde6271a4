type Globals = {
  readonly process?: {
    readonly env?: Readonly<Record<string, string | undefined>>
    readonly platform?: string
    readonly versions?: { readonly node?: string }
  }
  readonly Bun?: { readonly version: string }
  readonly Deno?: { readonly version: { readonly deno: string } }
  readonly navigator?: { readonly userAgent?: string }
  readonly window?: { readonly document?: unknown }
}

/** What this package reads from the runtime: Node, Bun, Deno, Cloudflare Workers or a browser. */
export const runtime = globalThis as Globals

/** Returns an environment variable; undefined where there are none. */
export function fromEnvironment(name: string): string | undefined {
  return runtime.process?.env?.[name] || undefined
}

/** Returns the option, or the environment variable. Throws a TypeError if both are missing. */
export function required(option: string | undefined, optionName: string, variable: string): string {
  const value = option ?? fromEnvironment(variable)
  if (value === undefined || value === '') throw new TypeError(`${optionName} is missing: pass it as an option, or set ${variable}`)
  return value
}

export function isBrowser(): boolean {
  return runtime.window?.document !== undefined
}
