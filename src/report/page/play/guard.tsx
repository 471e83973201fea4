import { Component, type ComponentChildren } from "preact";

/** Shows a sentence in place of what cannot be drawn: answers of the user's code may contradict each other. */
export class Guard extends Component<{ readonly children: ComponentChildren }, { readonly problem: string }> {
  static override getDerivedStateFromError(error: unknown): { problem: string } {
    return { problem: error instanceof Error ? error.message : String(error) };
  }

  override state: { readonly problem: string } = { problem: "" };

  override render(): ComponentChildren {
    const { problem } = this.state;
    if (problem === "") return this.props.children;
    return (
      <p role="alert" class="notices">
        The game cannot be shown any longer: {problem}
      </p>
    );
  }
}
