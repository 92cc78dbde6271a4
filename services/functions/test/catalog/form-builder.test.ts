import type { ParameterMeta } from '@onward/contract'
import { sendJson } from '@onward/testbed'
import { type Field, formOf, optionsOf, type Property, sampleOf } from '../support/form-builder.ts'
import { type User, useFunctions } from '../support/support.ts'

const onward = useFunctions({ builtIn: true, env: { APPS_PATH: 'services/functions/test/apps,services/functions/test/form-apps' } })
let joe: User

beforeAll(async () => {
  joe = onward.user('joe')
})

type Item = { name: string; type: string; parameters: { properties: Record<string, Property> } }

async function allFunctions(user: User, query = 'include=meta'): Promise<Item[]> {
  const found: Item[] = []
  for (let _cursor: string | null = ''; _cursor !== null; ) {
    const page: { body: { functions: Item[]; _cursor: string | null } } = await user
      .post(`/functions/list?${query}&page_size=200`, { _cursor })
      .expect(200)
    found.push(...page.body.functions)
    _cursor = page.body._cursor
  }
  return found
}

async function fieldsOf(name: string): Promise<Map<string, Field>> {
  const { body } = await joe.post(`/functions/${name}/get?include=meta`).expect(200)
  return new Map(formOf(body.parameters.properties).map((field) => [field.name, field]))
}

function field(fields: ReadonlyMap<string, Field>, name: string): Field {
  const found = fields.get(name)
  if (found === undefined) throw new Error(`there is no field ${name}`)
  return found
}

const ui = ({ meta }: Field): ParameterMeta['ui'] => meta.ui

type Schema = { type: string; enum?: unknown[]; items?: Schema; properties?: Record<string, Schema> }

/** Returns a line for each value that does not match its schema: a wrong type, an unknown choice or an unknown field. */
function misfits(schema: Schema | undefined, value: unknown, path: string): string[] {
  if (schema === undefined) return [`${path} is not known`]
  if (schema.enum !== undefined && !schema.enum.includes(value)) return [`${path} is not one of the choices`]
  switch (schema.type) {
    case 'array':
      return Array.isArray(value) ? value.flatMap((item) => misfits(schema.items, item, `${path}[]`)) : [`${path} is not an array`]
    case 'object': {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path} is not an object`]
      return Object.entries(value).flatMap(([name, item]) => misfits(schema.properties?.[name], item, `${path}.${name}`))
    }
    default:
      return typeof value === (schema.type === 'integer' ? 'number' : schema.type) ? [] : [`${path} is not of type ${schema.type}`]
  }
}

describe('a form built only from metadata', () => {
  it('exists for every function, and its sample values match the schema of the function', async () => {
    const items = await allFunctions(joe)
    expect(items.length).toBeGreaterThan(60)
    for (const { name, parameters } of items) {
      const fields = formOf(parameters.properties)
      for (const each of fields) checkField(name, each, fields)
      // Values of a source need an account, so they are left out here.
      const entered = Object.fromEntries(fields.filter(({ widget }) => widget !== 'source').map((each) => [each.name, sampleOf(each)]))
      expect(misfits(parameters as never, entered, name)).toEqual([])
    }
  })

  function checkField(name: string, { label, help, widget, dependsOn, meta, fields: inner }: Field, fields: readonly Field[]): void {
    const { ui_field, regex, regex_error_message, default_value } = meta.ui
    expect([name, meta.machine_name, label !== '', /`|Call /.test(help)]).toEqual([name, meta.machine_name, true, false])
    expect([name, (regex === '') === (regex_error_message === ''), new RegExp(regex, 'u')]).toEqual([name, true, expect.any(RegExp)])
    if (widget === 'choice') expect(ui_field.options.length).toBeGreaterThan(0)
    const defaults = default_value === null ? [] : [default_value].flat()
    if (widget === 'choice') for (const value of defaults) expect(ui_field.options.map(({ id }) => id)).toContain(value)
    if (widget === 'source') expect(ui_field.data_source?.url).toMatch(/^\/functions\/[a-z0-9-]+\/call$/)
    if (widget === 'group') expect(inner.length).toBeGreaterThan(0)
    expect(dependsOn.filter((other) => !fields.some((each) => each.name === other))).toEqual([])
    for (const each of inner) checkField(`${name} ${meta.machine_name}`, each, inner)
  }

  it('shows the right widget for each parameter', async () => {
    const fields = await fieldsOf('forge-close-issue')
    const widgets = [...fields.values()].map(({ name, widget, many, required }) => [name, widget, many, required])
    expect(widgets).toEqual([
      ['owner', 'source', false, true],
      ['repo', 'source', false, true],
      ['issue', 'source', false, true],
      ['labels', 'source', true, false],
      ['reason', 'choice', false, false],
      ['comment', 'lines', false, false],
      ['links', 'group', true, false],
      ['extra', 'pairs', false, false],
      ['proof', 'group', false, false],
    ])
    expect(field(fields, 'links').fields.map(({ name, widget, required }) => [name, widget, required])).toEqual([
      ['url', 'line', true],
      ['weight', 'number', false],
    ])
    expect(field(fields, 'proof').fields.map(({ name, widget }) => [name, widget])).toEqual([
      ['url', 'line'],
      ['base64', 'lines'],
      ['name', 'line'],
      ['content_type', 'line'],
    ])
    expect([ui(field(fields, 'comment')).placeholder, ui(field(fields, 'reason')).default_value]).toEqual(['Fixed in 2.0', 'done'])
    const [url, weight] = field(fields, 'links').fields
    expect([url && ui(url).placeholder, weight && ui(weight).regex_error_message]).toEqual([
      'https://example.com',
      'Weight must be a number, 0 or more.',
    ])
    expect(field(fields, 'owner').help).toBe('Login of the owner.')
  })

  it('states what each dropdown depends on and how to call its source', async () => {
    const fields = await fieldsOf('forge-close-issue')
    const sources = ['owner', 'repo', 'issue'].map((name) => {
      const { depends_on, ui_field } = ui(field(fields, name))
      return [depends_on, ui_field.data_source, ui_field.option_key_path, ui_field.value_key_path]
    })
    const call = (phrase: string, body: object) => ({ url: `/functions/forge-${phrase}/call`, body, query_params: {} })
    expect(sources).toEqual([
      [[], call('list-owners', {}), 'login', 'profile.name'],
      [['owner'], call('list-repos', { owner: '{owner}' }), 'name', 'full_name'],
      [['owner', 'repo'], call('list-issues', { owner: '{owner}', repository: '{repo}', state: 'open' }), 'number', 'title'],
    ])
  })

  it('fills dependent dropdowns from all pages of their sources and then calls the function', async () => {
    await joe.connect('forge' as never)
    const pages: Record<string, unknown> = {
      '/owners': { items: [{ login: 'ada', profile: { name: 'Ada' } }], next: 'n2' },
      '/owners?after=n2': { items: [{ login: 'bob', profile: { name: 'Bob' } }], next: '' },
      '/owners/bob/repos': { items: [{ name: 'web', full_name: 'bob/web' }] },
      '/owners/bob/repos?page=2': { items: [{ name: 'api', full_name: 'bob/api' }] },
      '/owners/bob/repos?page=3': { items: [] },
      '/repos/bob/api/issues?state=open': [{ number: 7, title: 'It hurts' }],
      '/labels': ['bug', 'wish'],
    }
    onward.third.respond(({ url }, response) => sendJson(response, url in pages ? 200 : 404, pages[url] ?? { no: url }))
    const fields = await fieldsOf('forge-close-issue')
    const chosen: Record<string, unknown> = {}
    const seen: Record<string, string[]> = {}
    const open = [...fields.values()].filter(({ widget }) => widget === 'source')
    for (let next: Field | undefined; open.length > 0; ) {
      next = open.find(({ dependsOn }) => dependsOn.every((name) => name in chosen))
      if (next === undefined) throw new Error('the dropdowns depend on each other in a circle')
      open.splice(open.indexOf(next), 1)
      const options = await optionsOf(joe, next, chosen)
      seen[next.name] = options.map(({ value }) => value)
      chosen[next.name] = next.many ? options.map(({ id }) => id) : options.at(-1)?.id
    }
    expect(seen).toEqual({ owner: ['Ada', 'Bob'], repo: ['bob/web', 'bob/api'], issue: ['It hurts'], labels: ['bug', 'wish'] })
    expect(chosen).toEqual({ owner: 'bob', repo: 'api', issue: 7, labels: ['bug', 'wish'] })

    onward.third.respond((_received, response) => sendJson(response, 200, { closed: true }))
    const entered = { comment: 'Fixed', links: [{ url: 'https://a.example', weight: 1 }], extra: { a: 1 } }
    await joe.call('forge-close-issue', { ...chosen, ...entered }).expect(200)
    const { url, body } = onward.third.received.at(-1) ?? { url: '', body: '' }
    expect(url).toBe('/repos/bob/api/issues/7/close')
    expect(body).toContain('Fixed')
  })
})

describe('the parameters of all functions in the published profile', () => {
  it('have only types that the published Python client knows, at any depth', async () => {
    const pat = onward.user('pat', await onward.makeApplication('published', 'workspace-1', { client_profile: 'published' }))
    const types = new Set<unknown>()
    for (const { parameters } of await allFunctions(pat, '')) addTypes(parameters, types)
    expect(types).toEqual(new Set(['object', 'array', 'string', 'number', 'boolean']))
  })
})

/** Adds the type of a schema and of the schemas in it. */
function addTypes({ type, properties, items, additionalProperties }: Nested, types: Set<unknown>): void {
  types.add(type)
  const inner = [...Object.values(properties ?? {}), items, additionalProperties]
  for (const schema of inner) if (typeof schema === 'object') addTypes(schema, types)
}

type Nested = { type?: unknown; properties?: Record<string, Nested>; items?: Nested; additionalProperties?: boolean | Nested }
