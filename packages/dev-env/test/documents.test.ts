import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

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
