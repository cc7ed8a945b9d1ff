/// Answers with the server's figures: `/metrics`.
struct MetricsHandler: Sendable {
    let metrics: Metrics
    let opener: ItemOpener
    let store: SegmentStore

    /// The figures, in Prometheus' text format.
    func answer() -> OriginResponse {
        let text = metrics.text(
            openPresentations: opener.presentations.count,
            items: opener.library.items.count,
            knownItems: opener.catalogue.count,
            segments: store.counts
        )
        return .text(text, "text/plain; version=0.0.4; charset=utf-8")
    }
}
