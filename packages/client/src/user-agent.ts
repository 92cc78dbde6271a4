import { runtime } from './environment.ts'

/** The version of this package. A test compares it with `package.json`. */
export const VERSION = '0.1.0'

/** Returns for example `onward-sdk/0.1.0 (node/22.11.0; linux) app/shop`. */
export function userAgent(appName: string | undefined): string {
  const system = runtime.process?.platform === undefined ? '' : `; ${runtime.process.platform}`
  return `onward-sdk/${VERSION} (${runtimeName()}${system})${appName === undefined ? '' : ` app/${appName.replace(/[^\w.-]/g, '-')}`}`
}

function runtimeName(): string {
  if (runtime.Bun !== undefined) return `bun/${runtime.Bun.version}`
  if (runtime.Deno !== undefined) return `deno/${runtime.Deno.version.deno}`
  if (runtime.process?.versions?.node !== undefined) return `node/${runtime.process.versions.node}`
  return runtime.navigator?.userAgent === 'Cloudflare-Workers' ? 'workers' : 'browser'
}
