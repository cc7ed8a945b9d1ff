import Testing

@testable import SegueUPnP

@Suite struct ContentDirectoryTests {
    /// A container `0` with a number of songs.
    private struct Songs: ContentTree {
        var updateID: UInt32 = 7
        var songs: [ContentEntry]

        init(_ titles: [String]) {
            songs = titles.enumerated().map {
                var song = ContentEntry(id: "i\($0)", parent: "0", type: "object.item.audioItem", title: $1)
                song.track = 100 - $0
                return song
            }
        }

        func entry(_ id: String) -> ContentEntry? {
            id == "0"
                ? ContentEntry(id: "0", parent: "-1", type: "object.container", title: "R", childCount: songs.count)
                : songs.first { $0.id == id }
        }

        func children(of id: String) -> [ContentEntry]? { id == "0" ? songs : nil }
        func descendants(of id: String) -> [ContentEntry]? { children(of: id) }
    }

    private func call(_ action: String, _ arguments: [(name: String, value: String)]) throws -> SOAPCall {
        let body = arguments.map { "<\($0.name)>\($0.value)</\($0.name)>" }.joined()
        return try SOAPCall(
            soapAction: "\"\(ContentDirectory.type)#\(action)\"",
            body: SOAPCallTests.body(action, body)
        )
    }

    private func page(
        _ id: String = "0",
        flag: String = "BrowseDirectChildren",
        filter: String = "*",
        start: String = "0",
        count: String = "0",
        sort: String = ""
    ) -> [(name: String, value: String)] {
        [
            ("ObjectID", id), ("BrowseFlag", flag), ("Filter", filter), ("StartingIndex", start),
            ("RequestedCount", count), ("SortCriteria", sort),
        ]
    }

    private func answer(
        _ tree: Songs,
        _ action: String,
        _ arguments: [(name: String, value: String)],
        details: ContentDetails = ContentDetails()
    ) throws -> [String: String] {
        let answer = try ContentDirectory(tree) { _ in details }.respond(to: call(action, arguments))
        return Dictionary(uniqueKeysWithValues: answer.results.map { ($0.name, $0.value) })
    }

    @Test(arguments: [
        ("0", "0", 5, ["a", "b", "c", "d", "e"]), ("0", "2", 2, ["a", "b"]), ("3", "9", 2, ["d", "e"]),
        ("5", "1", 0, []), ("4294967295", "4294967295", 0, []), ("4", "0", 1, ["e"]),
    ])
    func `children are paged, with their total`(
        start: String,
        count: String,
        returned: Int,
        titles: [String]
    ) throws {
        let results = try answer(Songs(["a", "b", "c", "d", "e"]), "Browse", page(start: start, count: count))
        #expect(results["NumberReturned"] == "\(returned)" && results["TotalMatches"] == "5")
        #expect(results["UpdateID"] == "7")
        let list = try XMLReader.read(Array((results["Result"] ?? "").utf8))
        #expect(list.name == "DIDL-Lite")
        #expect(list.children.map { $0.child("title")?.text } == titles)
    }

    @Test func `metadata describes the entry itself`() throws {
        let results = try answer(Songs(["a"]), "Browse", page(flag: "BrowseMetadata", count: "0"))
        #expect(results["NumberReturned"] == "1" && results["TotalMatches"] == "1")
        #expect(
            results["Result"]?.contains("<container id=\"0\" parentID=\"-1\" restricted=\"1\" childCount=\"1\"") == true
        )
    }

    @Test func `a long list is truncated, and the next page continues it`() throws {
        let tree = Songs((0..<4500).map { "song \($0)" })
        var (titles, start) = (0, 0)
        for expected in [2000, 2000, 500] {
            let results = try answer(tree, "Browse", page(start: "\(start)"))
            #expect(results["NumberReturned"] == "\(expected)" && results["TotalMatches"] == "4500")
            titles += expected
            start = titles
        }
    }

    @Test func `a title with special characters survives both escapings`() throws {
        let title = "<b>&amp; \"Ö\" 'x' ]]> \u{1F3B5}"
        let tree = Songs([title, "\u{1}\u{0}\u{FFFE}"])
        let call = try call("Browse", page())
        let xml = try ContentDirectory(tree) { _ in ContentDetails() }.respond(to: call).xml(to: call)
        let result = try XMLReader.read(Array(xml.utf8)).descendant("Result")?.text ?? ""
        let list = try XMLReader.read(Array(result.utf8))
        #expect(list.children.map { $0.child("title")?.text } == [title, "\u{FFFD}\u{FFFD}\u{FFFD}"])
    }

    @Test(arguments: [
        ("+dc:title", ["a", "B", "c"]), ("-dc:title", ["c", "B", "a"]), ("", ["B", "c", "a"]),
        ("+upnp:originalTrackNumber", ["a", "c", "B"]), ("+upnp:artist,-dc:title", ["c", "B", "a"]),
    ])
    func `entries are sorted by the criteria`(sort: String, titles: [String]) throws {
        let results = try answer(Songs(["B", "c", "a"]), "Browse", page(sort: sort))
        let list = try XMLReader.read(Array((results["Result"] ?? "").utf8))
        #expect(list.children.map { $0.child("title")?.text } == titles)
    }

    @Test func `invalid calls are rejected with their code`() throws {
        let tree = Songs(["a"])
        let table: [(String, [(name: String, value: String)], Int)] = [
            ("Browse", page("nowhere"), 701), ("Browse", page("i0"), 701), ("Browse", page(flag: "Both"), 402),
            ("Browse", page(sort: "+res@size"), 709), ("Browse", page(start: "-1"), 402),
            ("Browse", page(sort: "+upnp:artist,+upnp:artist,+upnp:artist,+upnp:artist,,+dc:title,a,b,c,d"), 709),
            ("Browse", [], 402), ("DestroyObject", [], 401),
            (
                "Search",
                [("ContainerID", "x"), ("SearchCriteria", "*")] + page().dropFirst(2), 710
            ),
            ("Search", [("ContainerID", "0"), ("SearchCriteria", "?")] + page().dropFirst(2), 708),
        ]
        for (action, arguments, code) in table {
            do {
                _ = try answer(tree, action, arguments)
                Issue.record("\(action) \(arguments) was answered")
            } catch let fault as SOAPFault {
                #expect(fault.code == code, "\(action) \(arguments)")
            }
        }
    }

    @Test func `a search finds by class and title`() throws {
        let criteria = "upnp:class derivedfrom &quot;object.item&quot; and dc:title contains &quot;b&quot;"
        let results = try answer(
            Songs(["abc", "xyz"]),
            "Search",
            [("ContainerID", "0"), ("SearchCriteria", criteria)] + page().dropFirst(2)
        )
        #expect(results["TotalMatches"] == "1")
    }

    @Test func `a filter omits properties, but not mandatory ones`() throws {
        var resource = ContentResource(protocolInfo: "http-get:*:audio/mpeg:*", url: "http://192.0.2.1/a?b&c")
        (resource.size, resource.milliseconds) = (5, 3_723_004)
        let details = ContentDetails(resources: [resource], artwork: "http://192.0.2.1/a.jpg")
        let shown = { (filter: String) throws -> String in
            try answer(Songs(["t"]), "Browse", page(filter: filter), details: details)["Result"] ?? ""
        }
        let all = try shown("*")
        #expect(
            all.contains(
                "<res protocolInfo=\"http-get:*:audio/mpeg:*\" size=\"5\" duration=\"1:02:03.004\">"
                    + "http://192.0.2.1/a?b&amp;c</res>"
            )
        )
        #expect(all.contains("<upnp:albumArtURI>http://192.0.2.1/a.jpg</upnp:albumArtURI>"))
        let least = try shown("")
        #expect(least.contains("<dc:title>t</dc:title>") && least.contains("<upnp:class>"))
        #expect(!least.contains("<res") && !least.contains("albumArtURI"))
        let some = try shown("dc:creator, res@duration")
        #expect(some.contains("<res protocolInfo=\"http-get:*:audio/mpeg:*\" duration=\"1:02:03.004\">"))
    }

    @Test func `capabilities and the update ID are reported`() throws {
        let tree = Songs([])
        #expect(try answer(tree, "GetSystemUpdateID", []) == ["Id": "7"])
        #expect(try answer(tree, "GetSortCapabilities", [])["SortCaps"]?.hasPrefix("dc:title,") == true)
        #expect(try answer(tree, "GetSearchCapabilities", [])["SearchCaps"]?.contains("upnp:class") == true)
    }

    @Test(arguments: [ContentDirectory.description, ConnectionManager.description])
    func `every argument of a described action has its variable`(description: ServiceDescription) throws {
        let names = Set(description.variables.map(\.name))
        for action in description.actions {
            for argument in action.takes + action.gives { #expect(names.contains(argument.variable)) }
        }
        let document = Array(description.xml.utf8)
        #expect(description.xml.contains("<scpd xmlns=\"urn:schemas-upnp-org:service-1-0\">") && !document.isEmpty)
    }
}
