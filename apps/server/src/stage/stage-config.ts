import { z } from "zod";

const stageEnvSchema = z.object({
  FOLLOWSPOT_STAGE_PORT: z.coerce.number().int().min(0).max(65535),
  FOLLOWSPOT_STAGE_SECRET: z.string().min(16),
  FOLLOWSPOT_DATA_DIR: z.string().min(1),
  FOLLOWSPOT_API: z.url(),
});

export interface StageConfig {
  /** 0 = any free port, told to the parent process. */
  readonly port: number;
  readonly secret: string;
  readonly dataDir: string;
  readonly api: string;
}

/** @throws Error naming every missing or bad variable at once */
export function stageConfig(env: NodeJS.ProcessEnv): StageConfig {
  const parsed = stageEnvSchema.safeParse(env);
  if (!parsed.success) {
    throw new Error(
      `stage configuration: ${parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`).join("; ")}`,
    );
  }
  return {
    port: parsed.data.FOLLOWSPOT_STAGE_PORT,
    secret: parsed.data.FOLLOWSPOT_STAGE_SECRET,
    dataDir: parsed.data.FOLLOWSPOT_DATA_DIR,
    api: parsed.data.FOLLOWSPOT_API.replace(/\/$/, ""),
  };
}
