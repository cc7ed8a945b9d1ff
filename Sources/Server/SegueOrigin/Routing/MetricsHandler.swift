struct MetricsHandler: Sendable {
    let metrics: Metrics
    let opener: ItemOpener
    let store: SegmentStore
    let work: any FileWork

    func respond() -> OriginResponse {
        var text = metrics.text(
            openPresentations: opener.presentations.count,
            items: opener.library.items.count,
            knownItems: opener.catalogue.count,
            segments: store.counts
        )
        if let report = work.report {
            var figures = MetricsText()
            report.add(to: &figures)
            text += figures.text
        }
        return .text(text, "text/plain; version=0.0.4; charset=utf-8")
    }
}
