internal import SegueComparison
internal import SeguePlayerModel

extension NearestPassing: Encodable {
    private enum Key: String, CodingKey { case `case`, differences, ways, parting, origin, missed, message }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(name, forKey: .case)
        try fields.encode(differences, forKey: .differences)
        var ways = fields.nestedContainer(keyedBy: Name.self, forKey: .ways)
        for way in comparison.ways { try ways.encode(way, forKey: Name(stringValue: way.actor.rawValue)) }
        try fields.encodeIfPresent(comparison.parting, forKey: .parting)
        try fields.encodeIfPresent(comparison.origin, forKey: .origin)
        try fields.encodeIfPresent(comparison.missed, forKey: .missed)
        try fields.encode(sentences.joined(separator: "; "), forKey: .message)
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension TraceComparison.Way: Encodable {
    private enum Key: String, CodingKey { case isSame, shared, onlyFailing, onlyPassing }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(isSame, forKey: .isSame)
        try fields.encode(shared, forKey: .shared)
        try fields.encode(onlyFailing, forKey: .onlyFailing)
        try fields.encode(onlyPassing, forKey: .onlyPassing)
    }
}

extension TraceComparison.Moment: Encodable {
    private enum Key: String, CodingKey { case by, event, item, transition, failing, passing }

    /// Encodes the step, with the times in seconds; null for a run without it.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(transition.actor.rawValue, forKey: .by)
        try fields.encode(transition.event, forKey: .event)
        try fields.encodeIfPresent(item, forKey: .item)
        try fields.encode(transition.description, forKey: .transition)
        try fields.encode(failing, forKey: .failing)
        try fields.encode(passing, forKey: .passing)
    }
}
