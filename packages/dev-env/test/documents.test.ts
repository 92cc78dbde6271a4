import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { listSubscriptions } from '@onward/contract'
import { send } from '@onward/contract-client'
import { openBothAreas } from './both-areas.ts'

const run = promisify(execFile)

describe('the pages with examples', () => {
  it('use different idempotency keys, so that who follows two pages gets no conflict', async () => {
    const { stdout } = await run('git', ['ls-files', '*.md'])
    const keys = new Map<string, Set<string>>()
    for (const page of stdout.trim().split('\n')) {
      const text = await readFile(page, 'utf8')
      for (const [, key = ''] of text.matchAll(/(?:Idempotency-Key: |idempotency_?[kK]ey(?:: '|="))([\w-]+)/g)) {
        keys.set(key, (keys.get(key) ?? new Set()).add(page))
      }
    }
    expect(keys.size).toBeGreaterThan(2)
    expect([...keys].filter(([, pages]) => pages.size > 1)).toEqual([])
  })
})

describe('the commands of WEBHOOKS.md', () => {
  it('work one after another beside npm start, and leave no subscription', async () => {
    const areas = await openBothAreas(1)
    const checkout = await mkdtemp(join(tmpdir(), 'onward-commands-'))
    try {
      await mkdir(join(checkout, '.onward'))
      const settings = `ONWARD_INSIGHTS_URL=${areas.insights.url}\nONWARD_API_KEY=${areas.partnerApiKey}\n`
      await writeFile(join(checkout, '.onward/dev.env'), settings)
      const page = await readFile('services/insights/WEBHOOKS.md', 'utf8')
      const blocks = [...page.matchAll(/^```bash\n([\s\S]*?)^```/gm)].map(([, code = '']) => code)
      expect(blocks.length).toBeGreaterThan(5)
      const { stdout, stderr } = await run('bash', ['--norc', '-euc', blocks.join('')], { cwd: checkout })
      expect(stderr).toBe('')
      const responses = stdout.trim().split('\n')
      expect(responses.length).toBeGreaterThan(7)
      expect(responses.filter((line) => !line.startsWith('{"') || line.includes('"error"'))).toEqual([])
      expect((await send(areas.partner, listSubscriptions, {})).subscriptions).toEqual([])
    } finally {
      await rm(checkout, { recursive: true })
      await areas.close()
    }
  })
})
