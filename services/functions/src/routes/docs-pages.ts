import { contentPolicy, PAGE_HEADERS, pathOf, serveDocument } from '@onward/runtime'
import express, { type Express, type RequestHandler, Router } from 'express'
import { errorsPage } from '../docs/errors-page.ts'
import { hashPage } from '../docs/hash-page.ts'
import { llmsText } from '../docs/llms-text.ts'
import { mcpPages } from '../docs/mcp-pages.ts'
import { DOCUMENTS, referencePage, referenceScript } from '../docs/reference-page.ts'

/** The paths that `serveDocs` serves. A `*` matches any text. */
export const DOCS_PATHS = ['/', '/llms.txt', '/docs', '/docs/*']

/** Pages load nothing from other hosts. The viewer writes its style into the page. */
const HEADERS = {
  ...PAGE_HEADERS,
  'Content-Security-Policy': contentPolicy({
    'script-src': `'self'`,
    'style-src': `'self' 'unsafe-inline'`,
    'img-src': `'self' data:`,
    'connect-src': `'self'`,
  }),
}

type Config = { readonly publicUrl: string | undefined; readonly viewerFolder: string }

/**
 * Serves the API reference of both areas, the pages about errors, the header Hash and MCP clients, and `/llms.txt`. The viewer's files are read
 * from disk on request.
 */
export function serveDocs(app: Express, { publicUrl = '', viewerFolder }: Config): void {
  const root = pathOf(publicUrl)
  const openapi = Object.fromEntries(Object.keys(DOCUMENTS).map((name) => [name, `${publicUrl}/docs/${name}.json`]))
  app.get('/', serveDocument({ name: 'Onward', docs: `${publicUrl}/docs`, openapi }))
  app.get('/llms.txt', send('text', llmsText(publicUrl)))

  const docs = Router()
  docs.use((_req, res, next) => {
    res.set(HEADERS)
    next()
  })
  docs.get('/', send('html', referencePage(root)))
  docs.get('/errors', send('html', errorsPage(root)))
  docs.get('/hash', send('html', hashPage(root)))
  for (const [path, page] of Object.entries(mcpPages(root, publicUrl))) docs.get(path, send('html', page))
  docs.get('/reference.js', send('js', referenceScript(root)))
  for (const [name, document] of Object.entries(DOCUMENTS)) docs.get(`/${name}.json`, serveDocument(document))
  docs.use('/viewer', express.static(viewerFolder, { index: false, redirect: false }))
  app.use('/docs', docs)
}

function send(type: string, text: string): RequestHandler {
  return (_req, res) => {
    res.type(type).send(text)
  }
}
