import { type ReactNode, useEffect, useState } from 'react'
import styles from './code.module.css'
import { Copy } from './copy-button.tsx'
import type { Language, Run } from './highlight.ts'

/** Longer code is shown without colours, because finding them would stop the page. */
const MAX_COLOURED = 50_000

type CodeProps = {
  text: string
  language?: Language
  /** Names it for screen readers and the copy button. */
  label: string
  /** Stands in the head of the block, such as a choice of languages. */
  head?: ReactNode
  wrap?: boolean
}

/** Code with a copy button. Its colours come in a separate chunk, a moment later. */
export function Code({ text, language, label, head, wrap = false }: CodeProps): ReactNode {
  const runs = useRuns(text, language)
  return (
    <div className={styles.code}>
      <div className={styles.head}>
        <div>{head ?? <span className={styles.label}>{label}</span>}</div>
        <Copy text={text} what={label} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section aria-label={label} tabIndex={0} className={styles.scroll}>
        <pre className={wrap ? styles.wrap : undefined}>
          <code>
            {runs.map(({ text: part, kind }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: runs have no identity
              <span key={at} className={kind === undefined ? undefined : styles[kind]}>
                {part}
              </span>
            ))}
          </code>
        </pre>
      </section>
    </div>
  )
}

function useRuns(text: string, language: Language | undefined): readonly Run[] {
  const [found, setFound] = useState<{ text: string; runs: readonly Run[] } | undefined>(undefined)
  useEffect(() => {
    if (language === undefined || text.length > MAX_COLOURED) return
    let wanted = true
    import('./highlight.ts').then(
      ({ highlight }) => {
        if (wanted) setFound({ text, runs: highlight(text, language) })
      },
      // Without its colours, the code is still there.
      () => {},
    )
    return () => {
      wanted = false
    }
  }, [text, language])
  return found?.text === text ? found.runs : [{ text, kind: undefined }]
}
