import { type ReactNode, useState } from 'react'
import { useCurrentApplication } from '../shell/opened.ts'
import { WORDS } from '../text/words.ts'
import { Field, Select } from '../ui/field.tsx'
import type { ApplicationName } from './application-list.tsx'

/**
 * The application that a form is for, and the field that chooses it, which is null if there is only one. It starts with the current
 * application. `appKey` is empty until an application is chosen.
 */
export function useApplicationField(applications: readonly ApplicationName[]): { readonly appKey: string; readonly field: ReactNode } {
  const current = useCurrentApplication(applications.map(([appKey]) => appKey))
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const appKey = chosen ?? current
  const field = applications.length > 1 && (
    <Field label={WORDS.applications.one}>
      <Select
        value={appKey}
        unchosen={WORDS.applications.choose}
        options={applications}
        onChange={(event) => setChosen(event.target.value)}
      />
    </Field>
  )
  return { appKey, field: field || null }
}
