import ArgumentParser
import Foundation
import Testing

@testable import segue

@Suite struct `Options of several commands` {
    /// Option names with two meanings, with the reason; all others have one help text everywhere.
    private static let exceptions = [
        "--access-log": "play writes the player's log, serve the server's",
        "--app": "a list in regress",
        "--background": "a flag where the rendition is known, a URL where it is not",
        "--device":
            "a list where several answers are shown, one where a player names it, files where a server learns them",
        "--draw": "link draws a network, others draw a run",
        "--for": "some limit the work, some grant access",
        "--history": "compare and history read it, regress and merge add to it",
        "--jobs": "agree counts cases, others count files",
        "--json": "watch appends JSON Lines",
        "--list": "each command lists its own data",
        "--listen": "serve and link serve, watch shows a page",
        "--log": "each command logs something else",
        "--network": "a list in regress and agree",
        "--patience": "regress measures processor time, others wait for a server",
        "--platform": "a list in regress",
        "--profile": "regress can leave the requirements out",
        "--quiet": "serve and link keep the line with the address",
        "--record": "watch records many streams, validate one",
        "--scenario": "a list in regress",
        "--tls": "serve has a certificate, link simulates a handshake",
        "--waive": "validate reads a file, explore takes a rule with its reason",
    ]

    private struct Dump: Decodable {
        let command: Command
    }

    private struct Command: Decodable {
        let commandName: String
        let subcommands: [Command]?
        let arguments: [Argument]?

        /// The command and its subcommands, with their full names.
        func all(below path: String = "") -> [(name: String, command: Command)] {
            let name = path.isEmpty ? commandName : "\(path) \(commandName)"
            return [(name, self)] + (subcommands ?? []).flatMap { $0.all(below: name) }
        }
    }

    private struct Argument: Decodable {
        struct Name: Decodable {
            let kind: String
            let name: String
        }

        let names: [Name]?
        let abstract: String?
        let shouldDisplay: Bool?

        var longNames: [String] { (names ?? []).filter { $0.kind == "long" }.map { "--" + $0.name } }

        /// The help text without the default, which differs between commands.
        var help: String {
            let text = abstract ?? ""
            return text.firstRange(of: " (default:").map { String(text[..<$0.lowerBound]) } ?? text
        }
    }

    @Test func `have one help text`() throws {
        let dump = try JSONDecoder().decode(Dump.self, from: Data(Segue._dumpHelp().utf8))
        let commands = dump.command.all()
        #expect(commands.count > 20)
        var helps: [String: [String: [String]]] = [:]
        for (name, command) in commands {
            for argument in command.arguments ?? [] where argument.shouldDisplay ?? true {
                for option in argument.longNames {
                    helps[option, default: [:]][argument.help, default: []].append(name)
                }
            }
        }
        for (option, texts) in helps where texts.count > 1 && Self.exceptions[option] == nil {
            Issue.record("\(option) has several help texts: \(texts)")
        }
    }

    @Test func `have an exception only where texts differ`() throws {
        let dump = try JSONDecoder().decode(Dump.self, from: Data(Segue._dumpHelp().utf8))
        var helps: [String: Set<String>] = [:]
        for (_, command) in dump.command.all() {
            for argument in command.arguments ?? [] where argument.shouldDisplay ?? true {
                for option in argument.longNames { helps[option, default: []].insert(argument.help) }
            }
        }
        for option in Self.exceptions.keys {
            #expect((helps[option]?.count ?? 0) > 1, "\(option) needs no exception")
        }
    }
}
