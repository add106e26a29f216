/** Fixture as QLC+ writes it; universe and address count from 0. */
export interface WrittenFixture {
  readonly name: string;
  readonly manufacturer?: string;
  readonly model?: string;
  readonly mode?: string;
  readonly universe?: number;
  readonly address?: number;
  readonly channels?: number;
}

/** Groups of fixtures, by index in the file, row by row. */
export type WrittenGroups = Readonly<Record<string, readonly (readonly number[])[]>>;

/** Encodes a QLC+ workspace as base64. A fixture with only a name is one dimmer channel at address 1. */
export const workspaceOf = (...fixtures: readonly WrittenFixture[]): string =>
  Buffer.from(workspaceText(fixtures)).toString("base64");

export function workspaceText(fixtures: readonly WrittenFixture[], groups: WrittenGroups = {}): string {
  const elements = fixtures.map(
    (
      { name, manufacturer = "Generic", model = "Generic", mode = "Generic", universe = 0, address = 0, channels = 1 },
      id,
    ) =>
      `<Fixture><Manufacturer>${manufacturer}</Manufacturer><Model>${model}</Model><Mode>${mode}</Mode><ID>${id}</ID>
    <Name>${name}</Name><Universe>${universe}</Universe><Address>${address}</Address><Channels>${channels}</Channels></Fixture>`,
  );
  const written = Object.entries(groups).map(([name, rows], id) => {
    const heads = rows.flatMap((row, y) =>
      row.map((fixture, x) => `<Head X="${x}" Y="${y}" Fixture="${fixture}">0</Head>`),
    );
    return `<FixtureGroup ID="${id}"><Name>${name}</Name><Size X="9" Y="9"/>${heads.toReversed().join("")}</FixtureGroup>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE Workspace>
<Workspace xmlns="http://www.qlcplus.org/Workspace" CurrentWindow="FixtureManager">
 <Creator><Name>Q Light Controller Plus</Name><Version>4.12.6</Version><Author>us</Author></Creator>
 <Engine>
  <InputOutputMap><Universe Name="Universe 1" ID="0"/></InputOutputMap>
  ${elements.join("\n  ")}
  ${written.join("\n  ")}
  <Function ID="0" Type="Scene" Name="Warm"><FixtureVal ID="0">0,255</FixtureVal></Function>
 </Engine>
 <VirtualConsole/>
</Workspace>`;
}
