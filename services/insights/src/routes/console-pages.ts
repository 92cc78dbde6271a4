import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contentPolicy, pathOf } from '@onward/runtime'
import express, { type Express, Router } from 'express'
import { FILES, HEADERS, SOURCES, serveAssets } from './page-headers.ts'

/** The paths that `serveConsole` serves. A `*` matches any text. */
export const CONSOLE_PATHS = ['/console', '/console/*']

const CONSOLE_HEADERS = {
  ...HEADERS,
  'Content-Security-Policy': contentPolicy({ ...SOURCES, 'form-action': `'self'` }),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
}

type Config = { readonly publicUrl: string | undefined; readonly consoleFolder: string | undefined }

/**
 * Serves the console: files with a hash in their name for a year, and the page for every other path, because the page itself decides what
 * a path shows. Serves nothing if there is no built console. `/console/api` and `/console/oidc` are left to other routes.
 */
export function serveConsole(app: Express, { publicUrl, consoleFolder = '' }: Config): void {
  const file = join(consoleFolder, 'index.html')
  if (consoleFolder === '' || !existsSync(file)) return
  // The build knows no path, so it writes relative addresses. They would not work on a page such as /console/w/acme/calls.
  const page = readFileSync(file, 'utf8').replaceAll('="./', `="${pathOf(publicUrl)}/console/`)

  const pages = Router()
  pages.use((req, res, next) => {
    if (/^\/(api|oidc)\//i.test(req.path)) return next('router')
    res.set(CONSOLE_HEADERS)
    next()
  })
  // A page that was opened before a release asks for files that are gone. It must not get the page instead of a script.
  pages.use('/assets', serveAssets(join(consoleFolder, 'assets'), CONSOLE_HEADERS))
  pages.use(express.static(consoleFolder, FILES))
  pages.get('/{*path}', (_req, res) => {
    res.type('html').send(page)
  })
  app.use('/console', pages)
}
