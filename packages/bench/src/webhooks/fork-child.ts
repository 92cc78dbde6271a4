import { type ChildProcess, fork } from 'node:child_process'

/** A process of ours that says something when it is ready, and answers what it is asked. It ends with the process that started it. */
export type Forked<R> = {
  readonly ready: R
  ask<A>(message: string): Promise<A>
  /** SIGKILL: no last words. */
  kill(): Promise<void>
}

const READY_MS = 60_000

/** `path` is that of a main file below the project's folder, where benchmarks run; `options` reach it as JSON. */
export async function forkChild<R>(path: string, options: object): Promise<Forked<R>> {
  const child = fork(path, [JSON.stringify(options)], { execArgv: ['--conditions=source', '--import', 'tsx'] })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ready = await nextMessage<R>(child).catch((err: unknown) => {
    child.kill('SIGKILL')
    throw err
  })
  return {
    ready,
    async ask(message) {
      const answer = nextMessage<never>(child)
      child.send(message)
      return await answer
    },
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
  }
}

async function nextMessage<T>(child: ChildProcess): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => end(new Error(`a process said nothing for ${READY_MS} ms`)), READY_MS)
    const onMessage = (message: unknown) => end(undefined, message as T)
    const onExit = (code: number | null) => end(new Error(`a process ended with ${code}`))
    function end(err: Error | undefined, message?: T): void {
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', onExit)
      if (err === undefined) resolve(message as T)
      else reject(err)
    }
    child.on('message', onMessage).on('exit', onExit)
  })
}
