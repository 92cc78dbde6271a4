import type { UserKey } from '@onward/runtime'
import type { ServedApplications } from '../served-applications.ts'

type Parts<M> = {
  readonly applications: Pick<ServedApplications, 'held' | 'read'>
  readonly prediction: { readonly model: M | undefined }
}

/** Returns the model, unless none is configured or the caller's application has turned it off. */
export async function modelFor<M>({ applications, prediction }: Parts<M>, { appKey }: UserKey): Promise<M | undefined> {
  if (prediction.model === undefined) return undefined
  const application = applications.held(appKey) ?? (await applications.read(appKey))
  return application?.useModel === true ? prediction.model : undefined
}
