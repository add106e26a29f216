import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { callUnaryMethod, createConnectQueryKey } from "@connectrpc/connect-query";
import type { Transport } from "@connectrpc/connect";
import type { FilterCount, ListQuerySchema } from "@followspot/contract/list";

/** One page as the cache holds it, whatever method it came from. */
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
}

/** Calls a method of the contract over the page's own connection, with the signal of the query. */
export type Call = <Input extends DescMessage, Output extends DescMessage>(
  method: DescMethodUnary<Input, Output>,
  input: MessageInitShape<Input>,
) => Promise<MessageShape<Output>>;

/** One list of the contract: how a page of it is asked for, how it is counted, how one row is read. */
export interface ListSource<Row> {
  /** Names the list where something of it is remembered, and its CSV file. */
  readonly name: string;
  readonly method: DescMethodUnary;
  readonly page: (call: Call, list: MessageInitShape<typeof ListQuerySchema>) => Promise<ListPage<Row>>;
  readonly id: (row: Row) => string;
  /** What the list is narrowed to beside its query, such as the event of talks. */
  readonly scope?: string;
  /** Rows per filter, of those that `query` finds; asked apart, and a list stands without it. */
  readonly count?: {
    readonly method: DescMethodUnary;
    readonly counts: (call: Call, query: string) => Promise<readonly FilterCount[]>;
  };
  /** Reads one row, for a dialog whose row is not on a loaded page. */
  readonly one?: (call: Call, id: string) => Promise<Row | undefined>;
  /** Rows of a page; 50 unless said. */
  readonly pageSize?: number;
}

/** A list whose rows can be read one by one, as dialogs that edit them need. */
export type ReadableSource<Row> = ListSource<Row> & Required<Pick<ListSource<Row>, "one">>;

/** What the contract's methods of lists share; their types are each their own. */
interface ListAnswer {
  readonly nextPageToken: string;
}
interface CountAnswer {
  readonly counts: readonly FilterCount[];
}

/**
 * The part of a source that says how a page is asked for.
 * @param rowsOf the rows in an answer
 * @param scope what the method is asked beside its `list`
 */
export function pagesOf<Input extends DescMessage, Output extends DescMessage, Row>(
  method: DescMethodUnary<Input, Output>,
  rowsOf: (answer: MessageShape<Output>) => readonly Row[],
  scope?: MessageInitShape<Input>,
): Pick<ListSource<Row>, "method" | "page"> {
  return {
    method,
    page: async (call, list) => {
      const request: object = { ...scope, list };
      const answer = await call(method, request as MessageInitShape<Input>);
      return { rows: rowsOf(answer), nextPageToken: (answer as object as ListAnswer).nextPageToken };
    },
  };
}

/** The part of a source that says how its rows are counted. @param scope what the method is asked beside its `query` */
export function countsOf<Input extends DescMessage, Output extends DescMessage>(
  method: DescMethodUnary<Input, Output>,
  scope?: MessageInitShape<Input>,
): NonNullable<ListSource<never>["count"]> {
  return {
    method,
    counts: async (call, query) => {
      const request: object = { ...scope, query };
      return ((await call(method, request as MessageInitShape<Input>)) as object as CountAnswer).counts;
    },
  };
}

/** Which rows in which order: the parts of a ListQuery that all its pages share. */
export interface ListQuestion {
  readonly query: string;
  readonly filter: string;
  readonly orderBy: string;
}

const PAGE_ROWS = 50;
/** Rows asked for at once where every row is wanted; the most the contract gives. */
const WHOLE_PAGE_ROWS = 200;

export const caller =
  (transport: Transport, signal?: AbortSignal): Call =>
  (method, input) =>
    callUnaryMethod(transport, method, input, signal && { signal });

/** Key of a method's answers; found by method alone when something changed. */
export const methodKey = (method: DescMethodUnary) => createConnectQueryKey({ schema: method, cardinality: undefined });

export const pagesKey = ({ method, scope }: Pick<ListSource<never>, "method" | "scope">, question: ListQuestion) =>
  [...createConnectQueryKey({ schema: method, cardinality: "infinite" }), scope ?? "", question] as const;

export function readPage<Row>(
  source: ListSource<Row>,
  call: Call,
  question: ListQuestion,
  pageToken: string,
  pageSize = source.pageSize ?? PAGE_ROWS,
): Promise<ListPage<Row>> {
  return source.page(call, { ...question, pageToken, pageSize });
}

/** Every row that a question finds, page after page. */
export async function* everyPage<Row>(
  source: ListSource<Row>,
  call: Call,
  question: ListQuestion,
): AsyncGenerator<readonly Row[]> {
  let token = "";
  do {
    const page = await readPage(source, call, question, token, WHOLE_PAGE_ROWS);
    yield page.rows;
    token = page.nextPageToken;
  } while (token !== "");
}
