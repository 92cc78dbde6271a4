import { type User, useFunctions } from '../support/support.ts'

const onward = useFunctions({ builtIn: true })
let joe: User

beforeAll(async () => {
  joe = onward.user('joe')
})

type Item = { name: string; app: string; type: string; meta?: object }

async function list(query = '', body?: object, user = joe): Promise<{ functions: Item[]; _cursor: string | null }> {
  return (await user.post(`/functions/list?${query}`, body).expect(200)).body
}

/** Returns the functions of all pages, one list per page. */
async function pages(query: string, user = joe): Promise<Item[][]> {
  const found: Item[][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await list(query, { _cursor: cursor }, user)
    found.push(page.functions)
    cursor = page._cursor
  }
  return found
}

async function all(query = '', user = joe): Promise<Item[]> {
  return (await pages(`page_size=200&${query}`, user)).flat()
}

const names = (items: Item[]) => items.map(({ name }) => name)

describe('POST /functions/list', () => {
  it('returns the fields of a function', async () => {
    const { functions } = await list('app=phone&type=ACTION')
    expect(functions).toEqual([
      {
        name: 'phone-send-text',
        title: 'Send text',
        app: 'phone',
        type: 'ACTION',
        description: 'Sends a short message to a phone number.',
        parameters: {
          type: 'object',
          properties: {
            to: { type: 'string', description: 'Number that gets it.' },
            from: { type: 'string', description: 'Number that sends it.' },
            body: { type: 'string', description: 'What it says.' },
          },
          required: ['to', 'body'],
        },
      },
    ])
  })

  it('returns a type and description of each parameter and the list of required ones', async () => {
    const functions = (await all()) as unknown as { parameters: { properties: Record<string, object>; required: string[] } }[]
    expect(functions.length).toBeGreaterThan(800)
    for (const { parameters } of functions) {
      expect(parameters.required).toBeInstanceOf(Array)
      for (const property of Object.values(parameters.properties)) {
        expect(property).toMatchObject({ type: expect.any(String), description: expect.any(String) })
      }
    }
  })

  it('returns 50 functions per page by default and a null cursor on the last page', async () => {
    const sizes = (await pages('')).map((page) => page.length)
    expect(sizes.length).toBeGreaterThan(2)
    expect(sizes.slice(0, -1).every((size) => size === 50)).toBe(true)
    expect(sizes.at(-1)).toBeGreaterThan(0)
    expect(await list('app=desk&page_size=5')).toMatchObject({ functions: { length: 5 }, _cursor: null })
  })

  it('lists each function once over all pages, ordered by name', async () => {
    const found = names((await pages('page_size=19')).flat())
    expect(found.every((name, i) => i === 0 || name > (found[i - 1] ?? ''))).toBe(true)
    expect(found).toEqual(names(await all()))
  })

  it('continues with a cursor in the query', async () => {
    const { functions, _cursor } = await list('page_size=2')
    const next = await list(`page_size=2&_cursor=${_cursor}`)
    expect(names(next.functions)).toEqual(names((await list('page_size=4')).functions).slice(2))
    expect(names(functions)).not.toContain(next.functions[0]?.name)
  })

  it('answers with a trailing slash too', async () => {
    const { body } = await joe.post('/functions/list/?app=desk').expect(200)
    expect(body).toEqual(await list('app=desk'))
  })
})

describe('a filter of the list', () => {
  it('by app returns all functions of that app, including pass-through', async () => {
    expect(names(await all('app=desk'))).toEqual([
      'desk-create-ticket',
      'desk-get-ticket',
      'desk-list-labels',
      'desk-list-tickets',
      'desk-passthrough-request',
    ])
  })

  it.each(['Desk', 'DESK'])('by app ignores case: %s', async (app) => {
    expect(await list(`app=${app}`)).toEqual(await list('app=desk'))
  })

  it.each(['nowhere', '__proto__', 'constructor'])('by the unknown app %s is answered 404', async (app) => {
    const { body } = await joe.post(`/functions/list?app=${app}`).expect(404)
    expect(body).toMatchObject({ error: `there is no app "${app}"`, error_details: [], code: 'app_not_found' })
  })

  it('by a misspelt app suggests the right one', async () => {
    const { body } = await joe.post('/functions/list?app=Dsek').expect(404)
    expect(body).toMatchObject({ error: 'there is no app "Dsek"; did you mean desk?', suggestions: ['desk'] })
  })

  it.each(['QUERY', 'ACTION', 'PASSTHROUGH'])('by the type %s returns only functions of that type', async (type) => {
    const found = await all(`type=${type}`)
    expect(found.length).toBeGreaterThan(5)
    expect(found.every((item) => item.type === type)).toBe(true)
    expect(found).toEqual((await all()).filter((item) => item.type === type))
  })

  it.each(['query', 'Query', 'qUERY'])('by type ignores case: %s', async (type) => {
    expect(await list(`app=desk&type=${type}`)).toEqual(await list('app=desk&type=QUERY'))
  })

  it.each(['OTHER', 'QUERY&type=ACTION', 'query&type=query', 'QUERY%20'])('by the unknown type %s is refused with 400', async (type) => {
    const { body } = await joe.post(`/functions/list?type=${type}`).expect(400)
    expect(body).toMatchObject({ code: 'invalid_parameters', error_details: expect.arrayContaining([expect.stringMatching(/^type: /)]) })
  })

  it('by a search text looks in name, title and description', async () => {
    expect(names((await list('search=CRM-EXPORT')).functions)).toEqual(['crm-export-contacts'])
    expect(names((await list('app=maps&search=List Routes')).functions)).toEqual(['maps-list-routes'])
    expect(names((await list('', { search: 'whatever it holds' })).functions)).toEqual(['notes-add-note'])
  })

  it('by a search text looks for each of its words, in any order', async () => {
    expect(names((await list('app=maps&search= routes  LIST ')).functions)).toEqual(['maps-list-routes'])
    expect(names((await list('app=maps&search=routes missing')).functions)).toEqual([])
  })

  it('can be combined with other filters', async () => {
    expect(names((await list('app=crm&type=QUERY&search=contacts&page_size=1')).functions)).toEqual(['crm-export-contacts'])
    expect(await list('app=crm&type=PASSTHROUGH&search=deals')).toEqual({ functions: [], _cursor: null })
  })

  it.each(['true', 'True', '1'])('by connected_only=%s returns only functions of apps that the user has connected', async (value) => {
    const ann = onward.user(`ann-${value}`)
    expect(await list(`connected_only=${value}`, undefined, ann)).toEqual({ functions: [], _cursor: null })
    await ann.connect('phone')
    expect(names(await all(`connected_only=${value}`, ann))).toEqual(['phone-passthrough-request', 'phone-send-text'])
    expect((await all('connected_only=0', ann)).length).toBeGreaterThan(800)
  })

  it('by connected_only leaves out apps that need no account', async () => {
    await onward.user('tom').connect('notes')
    expect([...new Set((await all('connected_only=1', onward.user('tom'))).map(({ app }) => app))]).toEqual(['notes'])
  })
})

describe('include', () => {
  it('adds the metadata of the function and of each parameter when it is meta', async () => {
    const { functions } = await list('app=phone&type=ACTION&include=meta')
    expect(functions[0]).toMatchObject({
      meta: { type: 'ACTION', ui: { title: 'Send text' }, app: { name: 'phone' } },
      parameters: { properties: { to: { meta: { machine_name: 'to', is_required: true } } } },
    })
  })

  it('has no effect when it is empty', async () => {
    expect(await list('app=phone&include=')).toEqual(await list('app=phone'))
  })

  it.each(['everything', 'META', 'meta&include=meta'])('is refused with 400 when it is %s', async (include) => {
    const { body } = await joe.post(`/functions/list?include=${include}`).expect(400)
    expect(body.error_details).toContain('include: must be one of "meta"')
  })
})
