import { type ReactNode, useState } from 'react'
import { publicUrl } from '../../api/base.ts'
import { SECRET_VARIABLE, type SnippetLanguage, snippetOf } from '../../parts/code-snippets.ts'
import { Code } from '../../ui/code.tsx'
import { Choice } from '../../ui/field.tsx'
import styles from './playground.module.css'
import type { Task } from './use-run.ts'
import { PLAY } from './words.ts'

const { run: words } = PLAY
const LANGUAGES = { curl: 'bash', typescript: 'typescript', python: 'python' } as const

/** The call as a program, with what is entered in the form. */
export function CodeView({ task }: { task: Task }): ReactNode {
  const [language, setLanguage] = useState<SnippetLanguage>('curl')
  const { appKey, user, fn, args, accountId } = task
  const text = snippetOf(language, {
    url: publicUrl(),
    appKey,
    userId: user === '' ? PLAY.userExample : user,
    fn,
    args,
    accountId: accountId === '' ? undefined : Number(accountId),
  })
  return (
    <div className={styles.stack}>
      <Code
        text={text}
        language={LANGUAGES[language]}
        label={words.code}
        head={
          <Choice
            label={words.language}
            value={language}
            choices={(Object.keys(LANGUAGES) as SnippetLanguage[]).map((value) => ({ value, label: words.languages[value] }))}
            onChange={(value) => setLanguage(value)}
          />
        }
      />
      <p className={styles.note}>{words.codeHelp(SECRET_VARIABLE)}</p>
    </div>
  )
}
