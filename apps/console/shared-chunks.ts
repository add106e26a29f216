import { build, type Plugin, type Rolldown, type UserConfig } from "vite";

type Chunks = ReadonlyMap<string, Rolldown.OutputChunk>;

/** Modules that start a document when they are read. */
const RUNS_A_DOCUMENT = /\.html$|\/main(-[a-z]+)*\.tsx?$/;
/** One more file costs a page as much as so many bytes of code: it is asked for, waits in line and is started. */
const FILE_BYTES = 20_000;
/** What the console's document starts with, what it reads then, and what stands around each of its screens. */
const CONSOLE = ["index", "start", "frame-parts"];
/** What a document starts with comes in few bytes: guests have a phone on a slow line. */
const DOCUMENT_WEIGHT = 4;
/** What is opened within a screen comes while a person looks at something already. */
const INNER_WEIGHT = 0.2;

/** Joins small files of a build. @param config of the build without this plugin */
export function joinSharedChunks(config: UserConfig): Plugin {
  return {
    name: "followspot:join-shared-chunks",
    apply: "build",
    async config() {
      const chunks = await chunksOf(config);
      const names = new Map([...namesOfModules(joinFiles(chunks)), ...namesBesideStarts(chunks)]);
      const shared = { debugName: "shared", name: (id: string) => names.get(id) };
      const codeSplitting = { includeDependenciesRecursively: false, groups: [shared] };
      return { build: { rolldownOptions: { output: { codeSplitting } } } };
    },
  };
}

/** A file to be: chunks of the first build that travel together. Chunks that start a document, screen or dialog stay alone. */
interface File {
  readonly chunks: readonly Rolldown.OutputChunk[];
  readonly bytes: number;
  readonly isShared: boolean;
}

/** Something that is opened: a document, a screen with the frame around it, or a dialog. */
interface Opening {
  /** Names of the chunks it starts with. */
  readonly starts: readonly string[];
  /** Names of the chunks that are there already. */
  readonly present: readonly string[];
  readonly weight: number;
}

/**
 * Which files the shared chunks of a build make. The bundler makes one for each set of sharers: a screen came in sixty, most of
 * them smaller than their own headers. Here the two files are joined, again and again, whose joining saves most: each opening
 * that reads both has a file less, each that needs only one of them reads the other's bytes as well. No two files ever import
 * each other, by others neither: which one runs first would be chance.
 */
function joinFiles(chunks: Chunks): readonly File[] {
  const openings = openingsOf(chunks);
  let files: readonly File[] = [...chunks.values()].map((chunk) => ({
    chunks: [chunk],
    bytes: chunk.code.length,
    isShared: !startsSomething(chunk, chunks),
  }));
  for (;;) {
    const joined = joinBest(files, openings);
    if (!joined) return files.filter(({ isShared }) => isShared);
    files = joined;
  }
}

/** The files with the two joined whose joining saves most; undefined when none saves anything. */
function joinBest(files: readonly File[], openings: readonly Opening[]): readonly File[] | undefined {
  const graph = graphOf(files);
  const reads = readsOf(openings, graph);
  const now = costOf(reads, openings);
  let best: { readonly files: readonly File[]; readonly cost: number } | undefined;
  for (const { a, b, saves } of pairsThatMaySave(files, reads, openings)) {
    if (best && now - saves >= best.cost) break;
    if (importsThroughOthers(a, b, graph) || importsThroughOthers(b, a, graph)) continue;
    const join: File = { chunks: [...a.chunks, ...b.chunks], bytes: a.bytes + b.bytes, isShared: true };
    const joined = [...files.filter((file) => file !== a && file !== b), join];
    const cost = costOf(readsOf(openings, graphOf(joined)), openings);
    if (cost < (best?.cost ?? now)) best = { files: joined, cost };
  }
  return best?.files;
}

/** Pairs of shared files, those first that save most when what a file imports is not counted; counted, they save less. */
function pairsThatMaySave(
  files: readonly File[],
  reads: readonly ReadonlySet<File>[],
  openings: readonly Opening[],
): readonly { readonly a: File; readonly b: File; readonly saves: number }[] {
  const shared = files.filter((file) => file.isShared);
  return shared
    .flatMap((a, i) =>
      shared.slice(0, i).map((b) => {
        let saves = 0;
        for (const [at, { weight }] of openings.entries()) {
          const [readsA, readsB] = [reads[at]!.has(a), reads[at]!.has(b)];
          if (readsA && readsB) saves += weight * FILE_BYTES;
          else if (readsA || readsB) saves -= weight * (readsA ? b : a).bytes;
        }
        return { a, b, saves };
      }),
    )
    .filter(({ saves }) => saves > 0)
    .toSorted((one, other) => other.saves - one.saves);
}

function costOf(reads: readonly ReadonlySet<File>[], openings: readonly Opening[]): number {
  let cost = 0;
  for (const [at, { weight }] of openings.entries())
    for (const { bytes } of reads[at]!) cost += weight * (bytes + FILE_BYTES);
  return cost;
}

interface Graph {
  readonly byName: ReadonlyMap<string, File>;
  readonly imports: ReadonlyMap<File, ReadonlySet<File>>;
}

function graphOf(files: readonly File[]): Graph {
  const byName = new Map(files.flatMap((file) => file.chunks.map(({ fileName }) => [fileName, file] as const)));
  const importsOf = (file: File) =>
    file.chunks.flatMap(({ imports }) => imports.map((name) => byName.get(name)!)).filter((other) => other !== file);
  return { byName, imports: new Map(files.map((file) => [file, new Set(importsOf(file))])) };
}

/** The files that each opening reads. */
function readsOf(openings: readonly Opening[], { byName, imports }: Graph): readonly ReadonlySet<File>[] {
  const all = (names: readonly string[]) =>
    reached(
      names.map((name) => byName.get(name)!),
      (file) => imports.get(file)!,
    );
  return openings.map(({ starts, present }) => {
    const there = all(present);
    return new Set([...all(starts)].filter((file) => !there.has(file)));
  });
}

/** Whether one file imports another by files between them: joined, the two would import each other's importers. */
function importsThroughOthers(from: File, to: File, { imports }: Graph): boolean {
  const between = [...imports.get(from)!].filter((file) => file !== to);
  return reached(between, (file) => imports.get(file)!).has(to);
}

function openingsOf(chunks: Chunks): readonly Opening[] {
  const all = [...chunks.values()];
  const named = (name: string) => all.filter((chunk) => chunk.name === name).map(({ fileName }) => fileName);
  const frame = CONSOLE.flatMap(named);
  const isScreen = ({ name }: Rolldown.OutputChunk) => /-(page|screen)$/.test(name);
  return all.flatMap((chunk): Opening[] => {
    const { fileName, isEntry } = chunk;
    if (!startsSomething(chunk, chunks) || !isOpened(chunk)) return [];
    if (isEntry) return [{ starts: [fileName], present: [], weight: DOCUMENT_WEIGHT }];
    if (frame.includes(fileName)) return [];
    if (isScreen(chunk)) return [{ starts: [...frame, fileName], present: [], weight: 1 }];
    return [{ starts: [fileName], present: frame, weight: INNER_WEIGHT }];
  });
}

/** A document, or what is read when it is first shown. */
const startsSomething = ({ isEntry, fileName }: Rolldown.OutputChunk, chunks: Chunks) =>
  isEntry || [...chunks.values()].some(({ dynamicImports }) => dynamicImports.includes(fileName));

/** The name of the file by the id of the module: the name of its largest chunk. */
function namesOfModules(files: readonly File[]): ReadonlyMap<string, string> {
  return new Map(
    files.flatMap(({ chunks }) => {
      const { name } = chunks.toSorted((a, b) => b.code.length - a.code.length)[0]!;
      return chunks.flatMap(({ moduleIds }) => moduleIds.map((id) => [id, `${name}-shared`] as const));
    }),
  );
}

/** What shared files use of a document's first file has a file of its own: the first file would start the document. */
function namesBesideStarts(chunks: Chunks): readonly (readonly [string, string])[] {
  const shared = [...chunks.values()].filter((chunk) => !startsSomething(chunk, chunks));
  return [...chunks.values()]
    .filter(({ isEntry, fileName }) => isEntry && shared.some(({ imports }) => imports.includes(fileName)))
    .flatMap(({ name, moduleIds }) =>
      moduleIds.filter((id) => !RUNS_A_DOCUMENT.test(id)).map((id) => [id, `${name}-shared`] as const),
    );
}

/**
 * Names in the console's document the files it reads once it runs, so that they come beside the first one and not after it.
 * The screen of an address is named by the first file itself (`app/screens.ts`).
 */
export function nameConsoleFiles(): Plugin {
  return {
    name: "followspot:name-console-files",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle = {}, chunk }) {
        if (!chunk || chunk.name !== CONSOLE[0]) return [];
        const chunks = chunksIn(Object.values(bundle));
        const starts = [...chunks.values()].filter(({ name }) => CONSOLE.includes(name));
        const named = reached([chunk.fileName], (file) => chunks.get(file)!.imports);
        const all = reached(
          starts.map(({ fileName }) => fileName),
          (file) => chunks.get(file)!.imports,
        );
        return [...all]
          .filter((file) => !named.has(file))
          .map((file) => ({
            tag: "link",
            injectTo: "head",
            attrs: { rel: "modulepreload", crossorigin: true, href: `/admin/${file}` },
          }));
      },
    },
  };
}

/** Refuses a build in which a document reads, now or later, the file that starts another one: it would run that one as well. */
export function keepDocumentsApart(): Plugin {
  return {
    name: "followspot:keep-documents-apart",
    apply: "build",
    generateBundle(_options, bundle) {
      const chunks = chunksIn(Object.values(bundle));
      for (const [document, chunk] of chunks)
        if (chunk.isEntry && isOpened(chunk))
          for (const file of readNowOrLater(document, chunks))
            if (file !== document && chunks.get(file)?.isEntry)
              this.error(`${file} starts a document of its own and would be read by ${chunk.name}`);
    },
  };
}

/** What draws films is opened by the server: who shares files with it is of no weight. */
const isOpened = ({ name }: Rolldown.OutputChunk) => name !== "stage-film";

/** What the bundler makes by itself, by the names of the files. */
async function chunksOf(config: UserConfig): Promise<Chunks> {
  const built = await build({
    ...config,
    configFile: false,
    logLevel: "error",
    build: { ...config.build, write: false, minify: true },
  });
  return chunksIn((built as Rolldown.RolldownOutput).output); // one output is configured, and nothing is watched
}

const chunksIn = (files: readonly (Rolldown.OutputChunk | Rolldown.OutputAsset)[]): Chunks =>
  new Map(files.flatMap((file) => (file.type === "chunk" ? [[file.fileName, file] as const] : [])));

const readNowOrLater = (file: string, chunks: Chunks) =>
  reached([file], (each) => {
    const { imports = [], dynamicImports = [] } = chunks.get(each) ?? {};
    return [...imports, ...dynamicImports];
  });

/** Everything that is reached from some things, themselves included. */
function reached<Thing>(from: readonly Thing[], next: (thing: Thing) => Iterable<Thing>): Set<Thing> {
  const seen = new Set<Thing>();
  const open = [...from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    open.push(...next(at));
  }
  return seen;
}
