import { build, type Plugin, type Rolldown, type UserConfig } from "vite";

type Chunks = ReadonlyMap<string, Rolldown.OutputChunk>;

/** Modules that start a document when they are read. */
const RUNS_A_DOCUMENT = /\.html$|\/main(-[a-z]+)*\.tsx?$/;
/** The console's own document; what stands around each of its screens. */
const CONSOLE = "index";
/**
 * One more file costs a screen as much as so many bytes of code, before they are packed: it is asked for, waits its turn and
 * is started. The dashboard and screens that run a night ask for much besides.
 */
const FILE_BYTES = { screen: 90_000, ofManyCalls: 180_000 } as const;
const OF_MANY_CALLS = /^(dashboard|tonight|desk|lights|visualizer)-/;
/** Documents for guests and projectors have one screen and are opened by phones on slow connections: bytes count more there. */
const DOCUMENT = { fileBytes: 20_000, weight: 40 } as const;
/** What is opened within a screen comes while a person looks at something already. */
const INNER = { fileBytes: FILE_BYTES.screen, weight: 0.02 } as const;

/** Joins small files of a build. @param config of the build without this plugin */
export function joinSharedChunks(config: UserConfig): Plugin {
  return {
    name: "followspot:join-shared-chunks",
    apply: "build",
    async config() {
      const names = namesOfModules(joinFiles(startsApart(await chunksOf(config))));
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
  /** What one more file costs it. */
  readonly fileBytes: number;
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
        for (const [at, { weight, fileBytes }] of openings.entries()) {
          const [readsA, readsB] = [reads[at]!.has(a), reads[at]!.has(b)];
          if (readsA && readsB) saves += weight * fileBytes;
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
  for (const [at, { weight, fileBytes }] of openings.entries())
    for (const { bytes } of reads[at]!) cost += weight * (bytes + fileBytes);
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
  const frame = all.filter(({ name }) => name === CONSOLE).map(({ fileName }) => fileName);
  return all.flatMap((chunk): Opening[] => {
    const { fileName, isEntry, name } = chunk;
    // The console is never opened without a screen.
    if (name === CONSOLE || !startsSomething(chunk, chunks) || !isOpened(chunk)) return [];
    if (isEntry) return [{ starts: [fileName], present: [], ...DOCUMENT }];
    if (!isScreen(chunk)) return [{ starts: [fileName], present: frame, ...INNER }];
    const fileBytes = OF_MANY_CALLS.test(name) ? FILE_BYTES.ofManyCalls : FILE_BYTES.screen;
    return [{ starts: [...frame, fileName], present: [], weight: 1, fileBytes }];
  });
}

const isScreen = ({ name }: Rolldown.OutputChunk) => /-(page|screen)$/.test(name);

/** A document, or what is read when it is first shown. */
const startsSomething = ({ isEntry, fileName }: Rolldown.OutputChunk, chunks: Chunks) =>
  isEntry || [...chunks.values()].some(({ dynamicImports }) => dynamicImports.includes(fileName));

/** A style sheet comes with the documents that name it, not with scripts that happen to share a file with it. */
const STYLES = /\.css$/;

/** The name of the file by the id of the module: the name of its largest chunk. */
function namesOfModules(files: readonly File[]): ReadonlyMap<string, string> {
  return new Map(
    files.flatMap(({ chunks }) => {
      const { name } = chunks.toSorted((a, b) => b.code.length - a.code.length)[0]!;
      const scripts = chunks.flatMap(({ moduleIds }) => moduleIds).filter((id) => !STYLES.test(id));
      return scripts.map((id) => [id, `${name}-shared`] as const);
    }),
  );
}

/**
 * The chunks, each document's first one in two: what starts the document, and the rest where shared chunks use it. A shared file
 * that imported the first one would start the document, and be imported by it.
 */
function startsApart(chunks: Chunks): Chunks {
  const isShared = (chunk: Rolldown.OutputChunk) => !startsSomething(chunk, chunks);
  const used = new Set([...chunks.values()].filter(isShared).flatMap(({ imports }) => imports));
  const restOf = (file: string) => `rest of ${file}`;
  const isParted = ({ isEntry, fileName }: Rolldown.OutputChunk) => isEntry && used.has(fileName);
  const nowIn = (file: string) => (isParted(chunks.get(file)!) ? restOf(file) : file);
  const parted = [...chunks.values()].flatMap((chunk): Rolldown.OutputChunk[] => {
    const moved = { ...chunk, imports: chunk.imports.map(nowIn) };
    if (!isParted(chunk)) return [moved];
    const [starts, rest] = [true, false].map((doesStart) =>
      chunk.moduleIds.filter((id) => RUNS_A_DOCUMENT.test(id) === doesStart),
    );
    const fileName = restOf(chunk.fileName);
    return [
      { ...moved, moduleIds: starts!, code: "", imports: [fileName], dynamicImports: [] },
      { ...moved, moduleIds: rest!, fileName, isEntry: false },
    ];
  });
  return new Map(parted.map((chunk) => [chunk.fileName, chunk]));
}

/**
 * Writes `screens.json`: the files of each screen beside those that the document names, by its path. The server names them in the
 * document of that path, so that they come beside the first script and not after it has run.
 * @param screens paths below /admin, and the modules they are read from
 */
export function listScreenFiles(screens: readonly { readonly path: string; readonly module: string }[]): Plugin {
  return {
    name: "followspot:list-screen-files",
    apply: "build",
    generateBundle(_options, bundle) {
      const chunks = chunksIn(Object.values(bundle));
      const named = filesReadBy(entryOf(CONSOLE, chunks), chunks);
      const listed = screens.map(({ path, module }) => {
        const screen = [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
        if (!screen) return this.error(`${module} of the screen ${path} has no file in this build`);
        const scripts = [...filesReadBy(screen, chunks)].filter((file) => !named.has(file));
        return { path, scripts, styles: [...new Set(scripts.flatMap((file) => stylesOf(chunks.get(file)!)))] };
      });
      this.emitFile({ type: "asset", fileName: "screens.json", source: JSON.stringify(listed) });
    },
  };
}

const entryOf = (name: string, chunks: Chunks) =>
  [...chunks.values()].find((chunk) => chunk.isEntry && chunk.name === name)!;

const filesReadBy = ({ fileName }: Rolldown.OutputChunk, chunks: Chunks) =>
  reached([fileName], (file) => chunks.get(file)!.imports);

/** Named by vite once it has taken the styles out of the scripts. */
const stylesOf = ({ viteMetadata }: Rolldown.OutputChunk) => [...(viteMetadata?.importedCss ?? [])];

/**
 * Refuses a build in which a document reads, now or later, the file that starts another one: it would run that one as well; or
 * later the style sheet of another one: it would look otherwise from then on.
 */
export function keepDocumentsApart(): Plugin {
  return {
    name: "followspot:keep-documents-apart",
    apply: "build",
    generateBundle(_options, bundle) {
      const chunks = chunksIn(Object.values(bundle));
      const documents = [...chunks.values()].filter((chunk) => chunk.isEntry && isOpened(chunk));
      const stylesIn = (files: Iterable<string>) => new Set([...files].flatMap((file) => stylesOf(chunks.get(file)!)));
      for (const document of documents) {
        const { fileName, name } = document;
        const files = readNowOrLater(fileName, chunks);
        for (const file of files)
          if (file !== fileName && chunks.get(file)?.isEntry)
            this.error(`${file} starts a document of its own and would be read by ${name}`);
        const [own, all] = [stylesIn(filesReadBy(document, chunks)), stylesIn(files)];
        for (const other of documents)
          for (const sheet of stylesIn(filesReadBy(other, chunks)))
            if (all.has(sheet) && !own.has(sheet))
              this.error(`${sheet} is the style sheet of ${other.name} and would be read by ${name}`);
      }
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
