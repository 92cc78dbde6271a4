import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '@onward/runtime'
import express, { type Express, Router } from 'express'
import { FILES, FOR_EVER, PAGE_HEADERS, PAGE_POLICY } from './page-headers.ts'

/** The paths that `serveConsole` serves. A `*` matches any text. */
export const CONSOLE_PATHS = ['/console', '/console/*']

const HEADERS = {
  ...PAGE_HEADERS,
  'Content-Security-Policy': [...PAGE_POLICY, `form-action 'self'`, `frame-ancestors 'none'`].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
}

type Config = { readonly publicUrl: string | undefined; readonly consoleFolder: string | undefined }

/**
 * Serves the console: files with a hash in their name for a year, and the page for every other path, because the page itself decides what
 * a path shows. Serves nothing if there is no built console. `/console/api` and `/console/oidc` are left to other routes.
 */
export function serveConsole(app: Express, { publicUrl = '', consoleFolder = '' }: Config): void {
  const file = join(consoleFolder, 'index.html')
  if (consoleFolder === '' || !existsSync(file)) return
  const root = publicUrl === '' ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')
  // The build knows no path, so it writes relative addresses. They would not work on a page such as /console/w/acme/calls.
  const page = readFileSync(file, 'utf8').replaceAll('="./', `="${root}/console/`)

  const pages = Router()
  pages.use((req, res, next) => {
    if (/^\/(api|oidc)\//i.test(req.path)) return next('router')
    res.set(HEADERS)
    next()
  })
  // A page that was opened before a release asks for files that are gone. It must not get the page instead of a script.
  pages.use(
    '/assets',
    express.static(join(consoleFolder, 'assets'), { ...FILES, setHeaders: (res) => res.set('Cache-Control', FOR_EVER) }),
    () => {
      throw new Refusal('not_found', 'there is no such file')
    },
  )
  pages.use(express.static(consoleFolder, FILES))
  pages.get('/{*path}', (_req, res) => {
    res.type('html').send(page)
  })
  app.use('/console', pages)
}
