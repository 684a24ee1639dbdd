namespace Emu.Tool;

/// <summary>The counts that a bench says behind frames at the pace of a line.</summary>
/// <param name="Cycles">From the first frame on, until all that were taken had gone to the service.</param>
/// <param name="Sent">Frames that came by the lines.</param>
/// <param name="Dropped">Frames of them that MACs dropped.</param>
/// <param name="Received">Frames that left.</param>
/// <param name="QueueDrops">Copies that output queues dropped.</param>
internal sealed record BenchRate(long Cycles, long Sent, long Dropped, long Received, long QueueDrops);
