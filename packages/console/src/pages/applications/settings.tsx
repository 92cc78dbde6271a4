import type { Answer, listInsightsApplications as Listed } from '@onward/contract'
import type { ReactNode } from 'react'
import type { Reading } from '../../api/queries.ts'
import { Stack } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { Danger } from './danger.tsx'
import { Embedding } from './embedding.tsx'
import { LimitSettings } from './limit-settings.tsx'
import { RateSettings } from './rate-settings.tsx'
import type { OwnApplication } from './read-applications.ts'
import { ConnectingSettings, GeneralSettings, LearningSettings } from './settings-forms.tsx'
import { WORDS } from './words.ts'

type SettingsProps = { application: OwnApplication; assigned: Reading<Answer<typeof Listed>> }

/** The settings of an application in both services. Those of insights load and fail on their own. */
export function Settings({ application, assigned }: SettingsProps): ReactNode {
  const limits = assigned.data?.applications.find(({ app_key }) => app_key === application.app_key)
  return (
    <Stack gap={6}>
      <GeneralSettings application={application} />
      <Section title={WORDS.settings.limits} about={WORDS.settings.limitsAbout} reading={assigned}>
        {() => <LimitSettings application={application} limits={limits} />}
      </Section>
      <ConnectingSettings application={application} />
      <Section title={WORDS.embedding.title} about={WORDS.embedding.about} reading={assigned}>
        {() => <Embedding application={application} origins={limits?.embed_origins} />}
      </Section>
      <LearningSettings application={application} />
      <RateSettings application={application} />
      <Danger application={application} />
    </Stack>
  )
}
