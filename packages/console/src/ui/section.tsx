import { Component, type ReactNode, useId } from 'react'
import { WORDS } from '../text/words.ts'
import { Button } from './button.tsx'
import { Id } from './copy-button.tsx'
import { Notice } from './empty.tsx'
import { Row } from './page.tsx'
import styles from './section.module.css'
import { Skeleton } from './skeleton.tsx'
import { Time } from './time.tsx'

/** Data that is read from a service, as `useRead` returns it. `data` may be older than `error`, when only a refresh failed. */
export type Reading<T> = {
  readonly data: T | undefined
  readonly error: ReadError | undefined
  readonly loading: boolean
  readonly asOf: Date | undefined
  retry(): void
}

export type ReadError = { readonly message: string; readonly status?: number; readonly requestId?: string | null | undefined }

type SectionProps<T> = {
  title: string
  about?: ReactNode
  reading: Reading<T>
  /** Shows when the data is from. For pages with data of both services. */
  asOf?: boolean
  /** The exact shape of what comes. */
  skeleton?: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  /** Shows the title to screen readers only. */
  hideTitle?: boolean
  children(data: T): ReactNode
}

/** A part of a page that loads and fails on its own. A failure inside it never takes the page down. */
export function Section<T>({ title, about, reading, asOf = false, skeleton, actions, hideTitle, children }: SectionProps<T>): ReactNode {
  const titleId = useId()
  const { data, error, loading } = reading
  return (
    <section aria-labelledby={titleId} className={styles.section} aria-busy={loading}>
      <header className={hideTitle ? 'hidden' : styles.header}>
        <div>
          <h2 id={titleId}>{title}</h2>
          {about !== undefined && <p className={styles.about}>{about}</p>}
        </div>
        <Row>
          {asOf && reading.asOf !== undefined && (
            <span className={styles.asOf}>
              {WORDS.common.asOf} <Time at={reading.asOf} as="short" />
            </span>
          )}
          {actions}
        </Row>
      </header>
      {error !== undefined && <Failure title={title} error={error} stale={data !== undefined} retry={reading.retry} busy={loading} />}
      {data === undefined ? (
        error === undefined && <Skeleton>{skeleton}</Skeleton>
      ) : (
        <Guarded title={title}>{() => children(data)}</Guarded>
      )}
    </section>
  )
}

/** An error with its request id, which support asks for, and a way to try again. */
export function Failure({
  title,
  error,
  stale = false,
  busy = false,
  retry,
}: {
  title: string
  error: ReadError
  stale?: boolean
  busy?: boolean
  retry(): void
}): ReactNode {
  const forbidden = error.status === 403
  return (
    <Notice
      tone={stale ? 'warn' : 'bad'}
      title={forbidden ? WORDS.section.forbidden : stale ? WORDS.section.stale : WORDS.section.failed(title)}
      action={
        !forbidden && (
          <Button size="small" busy={busy} onClick={retry}>
            {WORDS.common.retry}
          </Button>
        )
      }
    >
      <p lang="en">{error.message}</p>
      {error.requestId != null && (
        <p className={styles.request}>
          {WORDS.common.requestId} <Id value={error.requestId} what={WORDS.common.requestId} full />
        </p>
      )}
    </Notice>
  )
}

/** Catches what its content throws while it is drawn. */
class Guarded extends Component<{ title: string; children: () => ReactNode }, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined }

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return <Content draw={this.props.children} />
    return <Failure title={this.props.title} error={{ message: error.message }} retry={() => this.setState({ error: undefined })} />
  }
}

function Content({ draw }: { draw: () => ReactNode }): ReactNode {
  return draw()
}

/** A group of settings or facts with a title, which loads no data. */
export function Group({
  title,
  about,
  actions,
  children,
}: {
  title: string
  about?: ReactNode
  actions?: ReactNode
  children: ReactNode
}): ReactNode {
  const titleId = useId()
  return (
    <section aria-labelledby={titleId} className={styles.section}>
      <header className={styles.header}>
        <div>
          <h2 id={titleId}>{title}</h2>
          {about !== undefined && <p className={styles.about}>{about}</p>}
        </div>
        {actions !== undefined && <Row>{actions}</Row>}
      </header>
      {children}
    </section>
  )
}
