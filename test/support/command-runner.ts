/** Runs commands one after another in one process, each as if it were alone, to save the start. */
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

export const TaskSchema = Type.Object({
  args: Type.Array(Type.String()),
  cwd: Type.String(),
  env: Type.Record(Type.String(), Type.String()),
});

export type CommandTask = Static<typeof TaskSchema>;

export const FinishedSchema = Type.Object({
  status: Type.Integer(),
  out: Type.String(),
  err: Type.String(),
});

export type Finished = Static<typeof FinishedSchema>;

/** Takes over the folder and the environment of a command. */
export const settle = ({ cwd, env }: CommandTask): void => {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
};

/** Captures output instead of writing it. */
const capture = (stream: NodeJS.WriteStream): (() => string) => {
  let text = '';
  stream.write = (chunk: string | Uint8Array): boolean => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    return true;
  };
  return () => {
    const written = text;
    text = '';
    return written;
  };
};

const serve = async (): Promise<void> => {
  // Tests import this file for its types: they do not need the program.
  const { runCommand } = await import('../../src/cli/command.ts');
  const [out, err] = [capture(process.stdout), capture(process.stderr)];
  process.on('message', (task: unknown) => {
    if (!Value.Check(TaskSchema, task)) throw new Error('That is no command.');
    settle(task);
    void runCommand(task.args)
      .catch((error: unknown) => {
        process.stderr.write(error instanceof Error ? (error.stack ?? '') : String(error));
        return 1;
      })
      .then((status) => process.send?.({ status, out: out(), err: err() }));
  });
  process.on('disconnect', () => process.exit());
};

if (process.send !== undefined && process.argv[1] === import.meta.filename) await serve();
