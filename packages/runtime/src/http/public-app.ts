import express, { type Express } from 'express'
import { ConfigError } from '../env.ts'
import { requireHttps } from './secure.ts'

/** An Express app for a public port: HTTPS only, forwarded headers believed from the listed proxies only. */
export function publicApp(config: { readonly trustedProxies: readonly string[]; readonly allowPlainHttp: boolean }): Express {
  const app = express().disable('x-powered-by').disable('etag')
  try {
    app.set('trust proxy', [...config.trustedProxies])
  } catch (err) {
    throw new ConfigError(`TRUSTED_PROXIES must hold addresses or subnets: ${(err as Error).message}`)
  }
  app.use(requireHttps(config.allowPlainHttp))
  return app
}
