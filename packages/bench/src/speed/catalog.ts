import { loadCatalog } from '@onward/catalog'
import { quantile } from '../numbers.ts'
import type { Command } from '../rig/command-line.ts'
import { withOwnCpus } from '../rig/cpu.ts'
import { spread } from '../rig/goals.ts'
import { type Onward, openOnward } from './call-variants.ts'
import { insertFunctions } from './fill.ts'
import { postRequest, putLoad } from './http-load.ts'

/** How long each request took, in ms. */
type Round = { readonly list: readonly number[]; readonly get: readonly number[]; readonly predict: readonly number[] }

type Plan = { readonly rounds: number; readonly requests: number }

const APPS = 'packages/catalog/apps'
const MAX_SECONDS = 60

export const catalog: Command = {
  summary: 'the time of requests to list, get and predict functions when there are many, with one caller',
  options: { functions: 10_000, rounds: 5, requests: 500 },
  async run({ say, withRig, report }, given) {
    const plan = { rounds: given.number('rounds'), requests: given.number('requests') }
    await withOwnCpus(1, (prepare) =>
      withRig({ functions: 1, insights: 1, links: false, built: true }, async (rig) => {
        await insertFunctions(rig, given.number('functions'))
        const onward = await openOnward(rig, 1)
        onward.pids.process.forEach(prepare)
        const rounds = await measureCatalog(onward, plan)
        const of = (kind: keyof Round, share: number) => rounds.map((round) => quantile(round[kind], share))
        for (const kind of ['list', 'get', 'predict'] as const)
          say(`${kind}: p50 ${spread(of(kind, 0.5), 'ms')}, p99 ${spread(of(kind, 0.99), 'ms')}`)
        report([
          { name: 'P9', what: 'request for a list of functions at p50', values: of('list', 0.5), unit: 'ms', atMost: 2 },
          { name: 'P9', what: 'request for a function at p50', values: of('get', 0.5), unit: 'ms', atMost: 2 },
          { name: 'P9', what: 'request for a prediction at p99', values: of('predict', 0.99), unit: 'ms', atMost: 10 },
        ])
      }),
    )
  },
}

/** The first round warms up, and is not returned. */
export async function measureCatalog({ urls, workspace, users }: Onward, { rounds, requests }: Plan): Promise<Round[]> {
  const { functions } = await loadCatalog([APPS])
  const [user] = workspace.usersOf(users, { name: '', args: {} })
  if (user === undefined) throw new Error('the application has no users')
  const headers = { 'app-key': user.appKey, 'user-id': user.id, hash: user.hash }
  const pick = <T>(from: readonly T[], make: (item: T) => Buffer) =>
    Array.from({ length: requests }, (_, n) => make(from[(n * 7_919) % from.length] as T))
  const prompts = functions.flatMap(({ examples }) => examples)
  const kinds = {
    list: pick(functions, () => postRequest('/functions/list', headers, {})),
    get: pick(functions, ({ name }) => postRequest(`/functions/${name}/get`, headers, {})),
    predict: pick(prompts, (prompt) => postRequest('/functions/predict', headers, { prompt })),
  }
  const ask = async (of: readonly Buffer[]) => (await putLoad(urls, of, { connections: 1, seconds: MAX_SECONDS, count: requests })).times
  const found: Round[] = []
  while (found.length <= rounds) found.push({ list: await ask(kinds.list), get: await ask(kinds.get), predict: await ask(kinds.predict) })
  return found.slice(1)
}
