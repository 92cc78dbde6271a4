import { parseJson, writeJson } from '@onward/json'
import type { ReactNode } from 'react'
import { Progress } from '../../ui/bar.tsx'
import { Code } from '../../ui/code.tsx'
import { Empty, Notice } from '../../ui/empty.tsx'
import styles from './playground.module.css'
import type { Previewed } from './use-run.ts'
import { PLAY } from './words.ts'

const { run: words } = PLAY

type RequestProps = { previewed: Previewed | undefined; running: boolean; args: Readonly<Record<string, unknown>> }

/** The request that a call would send. */
export function RequestView({ previewed, running, args }: RequestProps): ReactNode {
  const old = previewed !== undefined && writeJson(previewed.task.args) !== writeJson(args)
  return (
    <div className={styles.stack} aria-live="polite" aria-busy={running}>
      {running && previewed === undefined && <Progress done={0} label={words.preview} />}
      {!running && previewed === undefined && <Empty title={words.noPreview} help={words.noPreviewHelp} />}
      {old && !running && <Notice tone="info">{words.old}</Notice>}
      {previewed?.answer !== undefined && (
        <>
          <Code wrap label={words.requestTitle} text={textOf(previewed.answer)} />
          <p className={styles.note}>{words.notSent}</p>
        </>
      )}
      {previewed?.error !== undefined && (
        <Notice tone="bad" title={words.previewFailed}>
          <p>{previewed.error.message}</p>
          {previewed.error.details.map((detail) => (
            <p key={detail}>{detail}</p>
          ))}
        </Notice>
      )}
    </div>
  )
}

/** The request as it would be sent with HTTP/1.1, with its JSON indented. */
function textOf({ method, url, headers, body }: NonNullable<Previewed['answer']>): string {
  const lines = headers.map(({ name, value }) => `${name}: ${value}`)
  return [`${method} ${url}`, ...lines, ...(body === null ? [] : ['', indented(body)])].join('\n')
}

function indented(body: string): string {
  try {
    return writeJson(parseJson(body), 2)
  } catch {
    return body
  }
}
