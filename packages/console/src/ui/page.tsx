import { ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { cx } from './cx.ts'
import styles from './page.module.css'
import { Lines, Skeleton } from './skeleton.tsx'

type HeadProps = {
  title: ReactNode
  /** Before the title. */
  logo?: ReactNode
  /** What this page is, in one line. */
  about?: ReactNode
  /** Links to the pages above this one. */
  path?: readonly ReactNode[]
  /** Beside the title: a state. */
  badge?: ReactNode
  /** Buttons; the one accent action last. */
  actions?: ReactNode
  tabs?: ReactNode
}

/** `head` is for tabs of a page that have one head in common. */
type PageProps = (HeadProps | { head: ReactNode }) & { children: ReactNode }

/** A page with its only h1. The head is as wide as that of a list; the content has a readable width. */
export function Page({ children, ...props }: PageProps): ReactNode {
  return (
    <div className={styles.page}>
      {'head' in props ? props.head : <PageHead {...props} />}
      <div className={styles.body}>{children}</div>
    </div>
  )
}

/** A page whose data or code is being loaded. */
export function LoadingPage(head: HeadProps): ReactNode {
  return (
    <Page {...head}>
      <Skeleton>
        <Lines count={6} />
      </Skeleton>
    </Page>
  )
}

/** The head of a page, or of a list. */
export function PageHead({ title, logo, about, path = [], badge, actions, tabs }: HeadProps): ReactNode {
  return (
    <header className={styles.header}>
      {path.length > 0 && (
        <nav aria-label="Breadcrumb" className={styles.path}>
          {path.map((link, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the order is the identity
            <span key={at}>
              {link}
              <ChevronRight aria-hidden="true" />
            </span>
          ))}
        </nav>
      )}
      <div className={styles.row}>
        <div className={styles.words}>
          <div className={styles.heading}>
            <Title logo={logo}>{title}</Title>
            {badge}
          </div>
          {about !== undefined && <p className={styles.about}>{about}</p>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
      {tabs}
    </header>
  )
}

/** Longer titles are ids and addresses. */
const LONG_TITLE = 40
/** How much of the end of a long title is always shown. */
const TITLE_END = 14

/** The title of the document is that of the page. A long id is on one line, and shows its start and its end. */
function Title({ logo, children }: { logo: ReactNode; children: ReactNode }): ReactNode {
  useEffect(() => {
    if (typeof children === 'string') document.title = `${children} · Onward`
  }, [children])
  if (logo !== undefined)
    return (
      <h1>
        <Named logo={logo}>{children}</Named>
      </h1>
    )
  if (typeof children !== 'string' || children.length <= LONG_TITLE) return <h1>{children}</h1>
  return (
    <h1 className={styles.long} aria-label={children} title={children}>
      <span>{children.slice(0, -TITLE_END)}</span>
      <span>{children.slice(-TITLE_END)}</span>
    </h1>
  )
}

/** Tabs are links, so that each has an address. Mark the present one with `aria-current="page"`, as router links do. */
export function Tabs({ label, children }: { label: string; children: ReactNode }): ReactNode {
  const nav = useRef<HTMLElement>(null)
  const shown = useRef<Element | null>(null)
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>('[aria-current]') ?? null
    if (nav.current === null || current === null || current === shown.current) return
    shown.current = current
    // On a phone, the present tab can be out of view.
    nav.current.scrollLeft = current.offsetLeft - nav.current.offsetLeft - (nav.current.clientWidth - current.offsetWidth) / 2
  })
  return (
    <nav ref={nav} aria-label={label} className={styles.tabs}>
      {children}
    </nav>
  )
}

/** Facts as name and value, in one column on a phone. */
export function Facts({ facts }: { facts: readonly (readonly [name: ReactNode, value: ReactNode])[] }): ReactNode {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value], at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: facts are a fixed list
        <div key={at}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A surface with a line around it. For forms and what is chosen from; most content needs none. */
export function Card({ children, padded = true }: { children: ReactNode; padded?: boolean }): ReactNode {
  return <div className={cx(styles.card, padded && styles.padded)}>{children}</div>
}

/** The picture of an app or a person, or its first letter. */
export function Logo({ name, src, size = 24 }: { name: string; src?: string | null; size?: 20 | 24 | 32 | 40 }): ReactNode {
  const [failed, setFailed] = useState<string | undefined>(undefined)
  const style = { width: size, height: size, fontSize: Math.round(size * 0.48) }
  return (
    <span className={styles.logo} style={style} aria-hidden="true">
      {src == null || failed === src ? (
        [...name][0]?.toUpperCase()
      ) : (
        <img src={src} alt="" width={size} height={size} loading="lazy" onError={() => setFailed(src)} />
      )}
    </span>
  )
}

/** A text with a logo or an icon before it, cut with an ellipsis where there is no room. What comes after it is never cut. */
export function Named({ logo, children, after }: { logo: ReactNode; children: ReactNode; after?: ReactNode }): ReactNode {
  return (
    <span className={styles.named}>
      {logo}
      <span>{children}</span>
      {after}
    </span>
  )
}

/** Children with equal space between them: `gap` steps of the 4-pixel grid. */
export function Stack({ gap = 4, children }: { gap?: 1 | 2 | 3 | 4 | 5 | 6; children: ReactNode }): ReactNode {
  return (
    <div className={styles.stack} style={{ gap: `var(--s${gap})` }}>
      {children}
    </div>
  )
}

/** Children side by side, which wrap. */
export function Row({ gap = 2, children }: { gap?: 1 | 2 | 3 | 4 | 5; children: ReactNode }): ReactNode {
  return (
    <div className={styles.side} style={{ gap: `var(--s${gap})` }}>
      {children}
    </div>
  )
}
