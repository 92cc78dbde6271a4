import { appNameOf, filtered, firstChoice, isAppName, isAsChosen, isChoosable, titleIn } from '../src/pages/catalog/import-state.ts'
import type { Operation, Preview } from '../src/pages/catalog/types.ts'

function operation(name: string, outcome: Operation['outcome'], rest: Partial<Operation> = {}): Operation {
  const [method = '', path = ''] = name.split(' ')
  const shown = { function: `app${path.replace('/', '-')}`, title: path, type: 'QUERY', destructive: false, update: null } as const
  return { operation: name, method, path, line: 1, outcome, reasons: [], ...shown, ...rest }
}

const OPERATIONS = [
  operation('GET /pets', 'kept'),
  operation('DELETE /pets', 'changed', { destructive: true }),
  operation('GET /old', 'skipped', { reasons: ['is deprecated; include its operationId to import it'] }),
  operation('HEAD /pets', 'skipped', { reasons: ['HEAD has no answer'] }),
]

describe('the name of an imported app', () => {
  it.each([
    ['Help Desk API v2', 'help-desk-api-v2'],
    ['2024 Bücher!', 'b-cher'],
    ['', ''],
    ['A very long title of a document that never seems to end', 'a-very-long-title-of-a-document-that-nev'],
  ])('is proposed for %p: %p', (title, name) => {
    expect(appNameOf(title)).toBe(name)
    expect(name === '' || isAppName(name)).toBe(true)
  })

  it.each([
    ['{"openapi": "3.1.0", "info": {"version": "1", "title": "Pet shop"}}', 'Pet shop'],
    ['openapi: 3.0.0\ninfo:\n  version: "1"\n  title: Pet shop\npaths: {}\n', 'Pet shop'],
    ['not a document', ''],
  ])('is read from the title in %j', (document, title) => {
    expect(titleIn(document)).toBe(title)
  })
})

describe('the choice of operations', () => {
  it('is at first all that become functions, and can add deprecated ones', () => {
    const preview = { operations: OPERATIONS } as unknown as Preview
    const first = firstChoice(preview)
    expect([...first]).toEqual(['GET /pets', 'DELETE /pets'])
    expect(OPERATIONS.map(isChoosable)).toEqual([true, true, true, false])
    expect(isAsChosen(preview, new Set(first))).toBe(true)
    expect(isAsChosen(preview, new Set(['GET /pets']))).toBe(false)
    expect(isAsChosen(preview, new Set(['GET /pets', 'GET /old']))).toBe(false)
  })

  it.each([
    ['all', '', 4],
    ['skipped', '', 2],
    ['destructive', '', 1],
    ['all', ' OLD ', 1],
    ['kept', 'old', 0],
  ] as const)('shows with the filter %s and the search %p: %i', (filter, search, count) => {
    expect(filtered(OPERATIONS, filter, search)).toHaveLength(count)
  })
})
