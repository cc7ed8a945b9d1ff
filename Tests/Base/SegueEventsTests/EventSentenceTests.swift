import SegueBase
import SegueEvents
import Testing

@Suite struct `Sentences of events` {
    private static func sentence(_ kind: EventKind) -> Message { Event(at: .zero, kind).sentence }

    @Test(arguments: EventCatalogue.examples.filter { $0.declaration.level == .error })
    func `every error has words of its own`(kind: EventKind) {
        let event = Event(at: .zero, kind)
        #expect(event.sentence.text != event.story.text)
    }

    @Test func `a failure names its cause, and its code unless that is an HTTP status`() {
        let missing = "HTTP 404: http://a/b.ts"
        let refused = EventKind.itemFailed(item: "item-1", domain: "HTTP", code: 404, message: missing)
        #expect(Self.sentence(refused).text == "item-1 failed: \(missing)")
        let lost = EventKind.itemFailed(item: "item-1", domain: "NSURLErrorDomain", code: -1005, message: "lost")
        #expect(Self.sentence(lost).text == "item-1 failed: lost (NSURLErrorDomain -1005)")
    }

    @Test func `failures of several items and addresses have one shape, and those with other codes another one`() {
        func failure(_ item: String, _ url: String, code: Int = -1005) -> String {
            let (domain, message) = ("NSURLErrorDomain", "the connection was lost: \(url)")
            return Self.sentence(.itemFailed(item: item, domain: domain, code: code, message: message)).shape
        }
        #expect(failure("item-1", "http://a/1.ts") == failure("item-2", "http://b/2.ts"))
        #expect(failure("item-1", "http://a/1.ts") != failure("item-1", "http://a/1.ts", code: -1001))
    }

    @Test func `an event that is not a problem is its name and values`() {
        #expect(Self.sentence(.queueCurrent(item: "item-1")).text == "queue.current, item item-1")
    }
}
