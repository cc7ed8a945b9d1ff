/// The requests of a run in rows, grouped by kind.
struct RequestRows {
    /// A kind with the row of each of its requests.
    struct Kind {
        let name: String
        var requests: [(request: RunTimeline.Request, row: Int)] = []
        var count = 0
    }

    /// The maximum number of rows of a kind.
    private static let most = 5

    private(set) var kinds: [Kind] = []

    init(_ requests: [RunTimeline.Request]) {
        var ends: [String: [Double]] = [:]
        for request in requests {
            let index = kinds.firstIndex { $0.name == request.kind } ?? kinds.count
            if index == kinds.count { kinds.append(Kind(name: request.kind)) }
            var rows = ends[request.kind, default: []]
            let row: Int
            if let free = rows.firstIndex(where: { $0 <= request.from }) {
                rows[free] = request.to
                row = free
            } else if rows.count == RequestRows.most {
                row = rows.count - 1
            } else {
                rows.append(request.to)
                row = rows.count - 1
            }
            ends[request.kind] = rows
            kinds[index].requests.append((request, row))
            kinds[index].count = max(kinds[index].count, row + 1)
        }
        // Playlists come before the resources that they list.
        let order = ["playlist", "map", "segment", "part"]
        kinds.sort { (order.firstIndex(of: $0.name) ?? 9, $0.name) < (order.firstIndex(of: $1.name) ?? 9, $1.name) }
    }

    static let rowHeight = 9.0

    var height: Double { kinds.reduce(0) { $0 + max(14, Double($1.count) * RequestRows.rowHeight + 3) } }

    /// Draws the rows.
    ///
    /// `marks` are the positions at which event lines cross the rows.
    func draw(_ panel: TimelinePanel, marks: [Double], _ y: Double, in drawing: inout Drawing) {
        var top = y
        var taken = marks.map { Box(x: $0 - 1, y: y, right: $0 + 1, bottom: y + height) }
        var notes: [(x: Double, y: Double, words: String)] = []
        for kind in kinds {
            let name = kind.name == "map" ? "init" : kind.name
            drawing.text(x: panel.left - 6, y: top + 9, Drawing.cut(name + "s", to: 74, size: 10), "tick end")
            var drawn = Array(repeating: -1.0, count: kind.count)
            for (request, row) in kind.requests {
                let isMedia = kind.name == "segment" || kind.name == "part"
                let colour = isMedia ? "media" : "list"
                // The wait for the response is paler than its transfer.
                guard let place = panel.place(request.from, request.to, least: 1.2) else { continue }
                let line = top + Double(row) * RequestRows.rowHeight
                let isEventful = request.outcome == .failed || request.outcome == .cancelled
                if place.x + place.width - drawn[row] < 0.6, !isEventful { continue }
                drawn[row] = place.x + place.width
                taken.append(Box(x: place.x, y: line, right: place.x + place.width, bottom: line + 7))
                switch request.outcome {
                case .failed:
                    drawing.rect(x: place.x, y: line, width: place.width, height: 7, "lost")
                    cross(panel.x(request.to), line + 3.5, in: &drawing)
                case .cancelled, .open:
                    drawing.rect(x: place.x, y: line + 0.5, width: place.width, height: 6, "given-up")
                    let words = request.outcome == .open ? "still under way" : "canceled before it was complete"
                    if isMedia { notes.append((place.x + place.width, line, words)) }
                case .finished:
                    drawing.rect(x: place.x, y: line, width: place.width, height: 7, "\(colour) wait")
                    if let answered = request.answered, let part = panel.place(answered, request.to, least: 1) {
                        drawing.rect(x: part.x, y: line, width: part.width, height: 7, colour)
                    }
                }
            }
            top += max(14, Double(kind.count) * RequestRows.rowHeight + 3)
        }
        for note in notes.prefix(40) {
            // Without room for the note, the legend has to suffice.
            let width = Drawing.width(of: note.words, size: 11)
            let box = Box(x: note.x + 4, y: note.y - 2, right: note.x + 4 + width, bottom: note.y + 10)
            guard box.right <= panel.right, box.bottom <= y + height + 4, !taken.contains(where: box.meets) else {
                continue
            }
            taken.append(box)
            drawing.note(x: box.x, y: note.y + 7.5, note.words, "tick")
        }
    }

    /// An occupied rectangle.
    private struct Box {
        let x: Double
        let y: Double
        let right: Double
        let bottom: Double

        func meets(_ other: Box) -> Bool {
            x < other.right && other.x < right && y < other.bottom && other.y < bottom
        }
    }

    private func cross(_ x: Double, _ y: Double, in drawing: inout Drawing) {
        drawing.line(x: x - 3, y: y - 3, toX: x + 3, toY: y + 3, "cross")
        drawing.line(x: x - 3, y: y + 3, toX: x + 3, toY: y - 3, "cross")
    }
}
