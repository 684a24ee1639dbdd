using Emu.Compiler.Passes;

namespace Emu.Compiler.Tests;

/// <summary>Moves one behind the other say of each byte where it came, as bytes that are moved do.</summary>
public sealed class FrameShiftTests
{
    private const int Bytes = 400;

    [Fact]
    public void Bytes_come_from_where_moves_say()
    {
        var random = new Random(1);
        for (var run = 0; run < 300; run++)
        {
            var bytes = Enumerable.Range(0, Bytes).ToArray();
            FrameShift? shift = null;
            for (var moves = random.Next(1, 5); moves > 0; moves--)
            {
                var (from, to) = (random.Next(60), random.Next(60));
                shift = new FrameShift(shift, from, to);
                // What is moved to the back goes on behind the end, as a frame does that has grown.
                bytes = [.. bytes[..to], .. bytes[from..]];
            }
            for (var at = 0; at < Bytes / 4; at++) Assert.Equal(bytes[at], shift!.Origin(at));
            for (var at = shift!.Start; at < Bytes / 4; at++) Assert.Equal(at - shift.Distance, bytes[at]);
            Assert.Equal(Enumerable.Range(0, shift.Kept), bytes[..shift.Kept]);
            Assert.InRange(bytes.Take(Bytes / 4).Select((came, at) => came - at).Max(), 0, shift.Forwards);
        }
    }

    [Theory]
    [InlineData(12, 16, 32, 0)] // a tag: all behind it have moved, all in front have not
    [InlineData(0, 50, 32, 50)] // by a beat and more: those in front are put in
    [InlineData(0, 50, 64, 0)]
    [InlineData(64, 14, 32, 14)]
    public void Bytes_in_front_are_put_in_where_others_move_by_a_beat(int from, int to, int beat, int putIn) =>
        Assert.Equal(putIn, new FrameShift(null, from, to).PutIn(beat).Count());

    [Fact]
    public void Bytes_between_are_put_in() =>
        Assert.Equal(Enumerable.Range(16, 18), new FrameShift(new FrameShift(null, 12, 16), 30, 34).PutIn(32));
}
