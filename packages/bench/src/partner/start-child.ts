import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Measures } from './measures.ts'

/** A process of ours that sends one message when it is ready, and answers measures. */
export type Child<Ready> = {
  readonly ready: Ready
  measure(work: () => Promise<void>): Promise<Measures>
  stop(): Promise<void>
}

/** Starts a module of this package, named from `src`, in a process of its own. Its settings are its argument, in JSON. It ends with this process at the latest. */
export async function startChild<Ready>(module: string, env: Readonly<Record<string, string>>): Promise<Child<Ready>> {
  const child = fork(fileURLToPath(new URL(`../${module}`, import.meta.url)), [JSON.stringify(env)], {
    execArgv: [...process.execArgv, '--expose-gc'],
  })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  const told = async (): Promise<unknown> => {
    const aborted = new AbortController()
    try {
      return await Promise.race([
        once(child, 'message', aborted).then(([message]) => message),
        once(child, 'exit', aborted).then(([code]) => Promise.reject(new Error(`${module} ended with ${code}`))),
      ])
    } finally {
      aborted.abort()
    }
  }
  return {
    ready: (await told()) as Ready,
    async measure(work) {
      const begun = told()
      child.send('begin')
      await begun
      await work()
      const found = told()
      child.send('end')
      return (await found) as Measures
    },
    async stop() {
      process.off('exit', end)
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      const late = setTimeout(end, 10_000)
      await gone
      clearTimeout(late)
    },
  }
}
