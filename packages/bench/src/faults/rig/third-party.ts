import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** What came for one webhook-id. */
export type Receipt = { readonly id: string; readonly event: string; readonly times: number; readonly bodies: number }

/** The API that is called and the receiver of webhooks, in a process of their own. */
export type ThirdParty = {
  readonly port: number
  readonly hookUrl: string
  receipts(): Promise<Receipt[]>
  close(): void
}

export async function openThirdParty(root: string): Promise<ThirdParty> {
  const child = fork(join(root, 'packages/bench/src/third-party/main.ts'), {
    cwd: root,
    execArgv: ['--conditions=source', '--import', 'tsx'],
  })
  const [port] = (await once(child, 'message')) as [number]
  const url = `http://127.0.0.1:${port}`
  return {
    port,
    hookUrl: `${url}/hooks`,
    receipts: async () => (await (await fetch(`${url}/receipts`)).json()) as Receipt[],
    close: () => void child.kill('SIGKILL'),
  }
}
