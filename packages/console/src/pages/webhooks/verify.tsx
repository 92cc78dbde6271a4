import { type ReactNode, useState } from 'react'
import { Code } from '../../ui/code.tsx'
import { Choice } from '../../ui/field.tsx'
import { VERIFY, type VerifyLanguage } from './snippets.ts'
import { TEXT } from './words.ts'

const LANGUAGES: readonly VerifyLanguage[] = ['client', 'python', 'node']

/** How an endpoint verifies a webhook, in a language of the reader's choice. */
export function Verify(): ReactNode {
  const [language, setLanguage] = useState<VerifyLanguage>('client')
  return (
    <Code
      {...VERIFY[language]}
      label={TEXT.verify.code}
      head={
        <Choice
          label={TEXT.verify.language}
          value={language}
          choices={LANGUAGES.map((value) => ({ value, label: TEXT.verify.languages[value] }))}
          onChange={(value) => setLanguage(value)}
        />
      }
    />
  )
}
