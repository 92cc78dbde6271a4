import { eventually, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import { startFunctions } from '../../src/index.ts'
import { messageOf, openScriptedModel, type ScriptedModel } from '../support/scripted-model.ts'
import { type Functions, openFunctions } from '../support/support.ts'

const NAMES = [
  'feed-animal',
  'weigh-animal',
  'list-keepers',
  'open-gate',
  'close-gate',
  'sell-ticket',
  'plan-tour',
  'count-visitors',
  'order-hay',
]

const fileOf = (names: readonly string[], name = 'zoo') => ({
  name,
  title: 'Zoo',
  description: 'Animals.',
  base_url: 'https://zoo.example',
  auth: { type: 'none' },
  functions: Object.fromEntries(
    names.map((each) => [
      each,
      { title: each.replace('-', ' '), description: `Does ${each}.`, type: 'ACTION', request: { method: 'POST', path: `/${each}` } },
    ]),
  ),
})

/** The texts of the functions in a request, by key. */
function askedIn({ messages }: { messages: { content?: string }[] }): Map<string, string> {
  const parts = (messages[1]?.content ?? '').split(/^(function_\d+)$/m).slice(1)
  return new Map(Array.from({ length: parts.length / 2 }, (_, i) => [parts[2 * i] ?? '', (parts[2 * i + 1] ?? '').trim()]))
}

/** Lets the model write for each function what `phrase` returns for its text. */
function writes(model: ScriptedModel, phrase: (text: string) => unknown): void {
  model.answersChats(({ body }, response) => {
    const lists = [...askedIn(JSON.parse(body))].map(([key, text]) => [key, phrase(text)])
    sendJson(response, 200, messageOf({ content: `Here you are:\n${JSON.stringify(Object.fromEntries(lists))}` }))
  })
}

async function openWithModel() {
  const model = await openScriptedModel()
  const onward = await openFunctions({ env: { ...model.env, MODEL_NAME: 'writer-1' } })
  return { model, onward }
}

async function written({ db }: Functions): Promise<{ phrasings: string[] }[]> {
  const { rows } = await sql<{ phrasings: string[] }>`select phrasings from function_phrasing where written_at is not null`.execute(db)
  return rows
}

async function predict(onward: Functions, prompt: string): Promise<string | undefined> {
  const { body } = await onward.user('joe').post('/functions/predict', { prompt }).expect(200)
  return body.functions[0]?.name
}

describe('the phrasings of imported functions', () => {
  it('are written by the model, eight functions at a time, and predict a function by words that its file does not have', async () => {
    const { model, onward } = await openWithModel()
    writes(model, (text) =>
      text.includes('feed animal') ? ['the giraffes look hungry, sort them out', ' ', 7] : [`please ${text.split('\n')[1]}`],
    )
    await onward.admin('put', '/admin/apps/zoo', { file: fileOf(NAMES) }).expect(200)
    await eventually(async () => expect(await written(onward)).toHaveLength(NAMES.length))
    expect(model.phrasings().map((body) => askedIn(body).size)).toEqual([8, 1])
    expect(await written(onward)).toContainEqual({ phrasings: ['the giraffes look hungry, sort them out'] })
    const { appKey } = onward.application
    await onward.admin('put', `/admin/applications/${appKey}`, { workspace_id: 'workspace-1', name: appKey, use_model: false }).expect(200)
    await eventually(async () => expect(await predict(onward, 'giraffes are hungry, please sort')).toBe('zoo-feed-animal'))
    await onward.close()
  })

  it('are asked for once: not after a restart, and after an import only for functions that changed', async () => {
    const { model, onward } = await openWithModel()
    writes(model, () => ['do it'])
    await onward.admin('put', '/admin/apps/zoo', { file: fileOf(NAMES.slice(0, 2)) }).expect(200)
    await eventually(async () => expect(await written(onward)).toHaveLength(2))
    const other = await startFunctions(onward.config)
    await onward.admin('put', '/admin/apps/zoo', { file: fileOf(NAMES.slice(0, 3)) }).expect(200)
    await eventually(async () => expect(await written(onward)).toHaveLength(3))
    await other.close()
    const asked = model.phrasings().flatMap((body) => [...askedIn(body).values()])
    expect(asked.map((text) => text.split('\n')[0]).sort()).toEqual(['Zoo: feed animal', 'Zoo: list keepers', 'Zoo: weigh animal'])
    await onward.close()
  })

  it('are written for the others when the model cannot write those of one function', async () => {
    const { model, onward } = await openWithModel()
    model.answersChats(({ body }, response) => {
      const asked = [...askedIn(JSON.parse(body))]
      if (asked.some(([, text]) => text.includes('open gate'))) return sendJson(response, 400, { error: { message: 'not this' } })
      sendJson(response, 200, messageOf({ content: JSON.stringify(Object.fromEntries(asked.map(([key]) => [key, ['do it']]))) }))
    })
    await onward.admin('put', '/admin/apps/zoo', { file: fileOf(NAMES.slice(0, 4)) }).expect(200)
    await eventually(async () => expect(await written(onward)).toHaveLength(4))
    expect((await written(onward)).filter(({ phrasings }) => phrasings.length === 0)).toHaveLength(1)
    await onward.close()
  })
})
