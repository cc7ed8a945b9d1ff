import ArgumentParser
import SegueBase
import SegueEvents

struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Prints the kinds of events in logs with their fields, as Markdown.",
        discussion: """
            Example:
              segue events > docs/EVENTS.md
            """
    )

    func run() async throws { StandardOutput.write(EventCatalogue.markdown) }
}
