import Foundation
import FoundationXML
import SegueNetworkModel
import Testing

@Suite struct `Chart of a network` {
    /// The elements of a chart by class, with their texts.
    private final class Elements: NSObject, XMLParserDelegate {
        private(set) var classes: [String: Int] = [:]
        private(set) var texts: [String] = []
        private var text = ""

        init(_ svg: String) {
            super.init()
            let parser = XMLParser(data: Data(svg.utf8))
            parser.delegate = self
            if !parser.parse() { texts = ["not well-formed"] }
        }

        func parser(
            _ parser: XMLParser,
            didStartElement element: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String] = [:]
        ) {
            text = ""
            if let name = attributes["class"] { classes[name, default: 0] += 1 }
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

        func parser(_ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?) {
            if element == "text" { texts.append(text) }
        }
    }

    @Test func `shows parameters over time, and lists the others`() throws {
        let yaml = """
            name: a <&> b
            down: { rate: [{ at: 0 s, rate: 2 Mbit/s }, { at: 50 s, rate: 1 Mbit/s }], delay: 100 ms, loss: 1 % }
            up: { delay: 60-80 ms, jitter: 5 ms }
            dns: 20 ms
            radio: [{ idle: 5 s, promotion: 1 s }]
            schedule:
              - { at: 10 s, outage: 5 s, every: 40 s }
              - { at: 30 s, handover: 1 s }
              - { at: 5 s, portal: 2 s }
              - { at: 35 s, up: { delay: 200 ms } }
            faults: [{ status: 503 }]
            """
        let elements = try Elements(NetworkDiagram.svg(of: LinkProfile(yaml: yaml, file: "n.yaml")))
        let words = elements.texts.joined(separator: "\n")
        #expect(elements.texts.first == "a <&> b")
        #expect(
            words.contains("queue of 1000 packets, loss 1 % down, 0 % up, DNS 20 ms, radio waits 1 s after 5 s idle")
        )
        #expect(words.contains("faults of requests: 1") && words.contains("up: no limit") && words.contains("Mbit/s"))
        // The chart shows 108 s: outages begin at 10, 50, and 90 s, in both graphs; the handover is one as well; and
        // the legend.
        #expect(elements.classes["outage"] == 4 * 2 + 1)
        #expect(elements.classes["portal"] == 1 * 2 + 1)
        #expect(elements.classes["handover"] == 1 + 1)
        // The jitter of the upward direction, before and after the change.
        #expect(elements.classes["upband"] == 2)
    }

    @Test func `the rate falls at the beginning of an outage, and rises at its end`() throws {
        let yaml = "name: n\nup: {}\ndown: { rate: 1 Mbit/s }\noutages: [{ at: 15 s, for: 15 s }]"
        let svg = try NetworkDiagram.svg(of: LinkProfile(yaml: yaml, file: "n.yaml"))
        // 60 s from x = 74 to 980; a little more than the maximum rate from y = 92 to 300.
        #expect(svg.contains("M74 107.4H300.5V300H527V107.4H980\" class=\"down\""))
    }

    @Test func `draws a trace with many steps in columns with the same mean`() throws {
        let steps = (0..<3000).map { "{ at: \($0) ms, rate: \($0 % 2 == 0 ? "2" : "0") Mbit/s }" }.joined(
            separator: ", "
        )
        let yaml = "name: n\nup: {}\ndown: { rate: { steps: [\(steps)], loop: 3 s } }"
        let svg = try NetworkDiagram.svg(of: LinkProfile(yaml: yaml, file: "n.yaml"))
        #expect(svg.utf8.count < 40_000)
        // 33 or 34 columns of 66.7 ms have a rate of 2 Mbit/s for one millisecond each.
        #expect(svg.contains("kbit/s") && svg.contains(">1000<") && !svg.contains(">1500<"))
    }
}
