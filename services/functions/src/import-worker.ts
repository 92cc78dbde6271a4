// The program of a process that converts one OpenAPI document. The service starts it for each preview of an import, so that a large document
// blocks no request, and so that the service itself does not load the importer.
import { type AppFile, CatalogError, type Scheme } from '@onward/catalog'
import type { previewImport, ResponseOf } from '@onward/contract'
import { type Imported, importOpenApiText, OptionError } from '@onward/openapi'

export type ImportInput = {
  readonly name: string
  readonly document: string
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  readonly baseUrl?: string
  /** The text of the stored app file of this name. */
  readonly previous: string | undefined
}

type Preview = Omit<ResponseOf<typeof previewImport>, 'replaces'>

/**
 * `problems` say why the document cannot be imported, each written `"<field path>: <what is wrong>"`. `failure` is the stack of an unexpected
 * error.
 */
export type ImportOutput = { readonly preview: Preview } | { readonly problems: readonly string[] } | { readonly failure: string }

const FIELDS = { name: 'name', baseUrl: 'base_url' } as const

async function convert({ document, previous, ...options }: ImportInput): Promise<ImportOutput> {
  try {
    const before = previous === undefined ? undefined : (JSON.parse(previous) as AppFile)
    return { preview: previewOf(await importOpenApiText(document, { ...options, previous: before })) }
  } catch (err) {
    if (err instanceof OptionError) return { problems: [`${FIELDS[err.option]}: ${err.message}`] }
    if (err instanceof CatalogError) return { problems: err.problems }
    return { failure: String((err as Error).stack) }
  }
}

function previewOf({ file, report }: Imported): Preview {
  const { app: name, title, openapi, servers, operations, removed, notes } = report
  const withOutcome = (outcome: string) => operations.filter((each) => each.outcome === outcome).length
  return {
    name,
    title,
    openapi,
    base_url: file?.base_url ?? null,
    hosts: [...(file?.hosts ?? [])],
    servers: [...servers],
    settings: Object.entries(file?.account_settings ?? {}).map(([setting, { title, description }]) => ({
      name: setting,
      title,
      description,
    })),
    auth: file === null ? [] : [file.auth].flat().map(describeScheme),
    operations: operations.map((each) => ({ ...each, reasons: [...each.reasons] })),
    removed: [...removed],
    totals: {
      operations: operations.length,
      kept: withOutcome('kept'),
      changed: withOutcome('changed'),
      skipped: withOutcome('skipped'),
      destructive: operations.filter(({ destructive, outcome }) => destructive && outcome !== 'skipped').length,
      removed: removed.length,
    },
    warnings: [...notes],
    file: file as Preview['file'],
  }
}

function describeScheme(scheme: Scheme): Preview['auth'][number] {
  return {
    type: scheme.type,
    sends: placesOf(scheme),
    authorization_url: 'authorization_url' in scheme ? scheme.authorization_url : null,
    token_url: 'token_url' in scheme ? scheme.token_url : null,
    scopes: 'scopes' in scheme ? [...(scheme.scopes ?? [])] : [],
  }
}

function placesOf(scheme: Scheme): string[] {
  switch (scheme.type) {
    case 'none':
      return []
    case 'api_key':
      return [`${scheme.in} ${scheme.name}`]
    case 'custom':
      return [
        ...Object.keys(scheme.headers ?? {}).map((name) => `header ${name}`),
        ...Object.keys(scheme.query ?? {}).map((name) => `query ${name}`),
      ]
    case 'basic':
    case 'bearer':
    case 'oauth2':
    case 'oauth2_client_credentials':
    case 'oauth2_jwt_bearer':
      return ['header Authorization']
  }
}

process.once('message', async (input) => {
  process.send?.(await convert(input as ImportInput))
})
