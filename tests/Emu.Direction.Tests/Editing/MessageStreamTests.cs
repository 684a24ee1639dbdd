using System.Text;
using Emu.Direction.Editing;

namespace Emu.Direction.Tests.Editing;

/// <summary>The framing of the Debug Adapter Protocol.</summary>
public sealed class MessageStreamTests
{
    [Theory]
    [InlineData("Content-Length: 2\r\n\r\n{}", "{}")]
    [InlineData("content-length:2\r\nOther: x\r\n\r\n{}Content-Length: 3\r\n\r\n[1]", "{} [1]")]
    [InlineData("\r\n\r\nContent-Length: 0\r\n\r\n", "")]
    [InlineData("Content-Length: 4\n\n\"é\"", "\"é\"")]
    [InlineData("", "")]
    public void Messages_are_taken_apart(string bytes, string messages)
    {
        var stream = StreamOf(bytes);
        var read = new List<string>();
        while (stream.Read() is { } message) read.Add(Encoding.UTF8.GetString(message));
        Assert.Equal(messages, string.Join(' ', read));
    }

    [Theory]
    [InlineData("Content-Length: 2\r\n\r\n{", "the input ends in a message")]
    [InlineData("Content-Length: 2\r\n", "the input ends in a header")]
    [InlineData("Content-Length", "the input ends in a header")]
    [InlineData("Content-Length: two\r\n\r\n{}", "Content-Length: 'two' is no number up to")]
    [InlineData("Content-Length: -2\r\n\r\n{}", "is no number up to")]
    [InlineData("Content-Length: 99999999\r\n\r\n{}", "is no number up to 16777216")]
    [InlineData("Other: 2\r\n\r\n{}", "a header has no Content-Length")]
    [InlineData("{}\r\n\r\n", "'{}' is no line of a header")]
    public void A_header_that_is_none_is_refused(string bytes, string why) =>
        Assert.Contains(why, Assert.Throws<FormatException>(() => StreamOf(bytes).Read()).Message);

    [Fact]
    public void A_header_without_an_end_is_refused() =>
        Assert.Throws<FormatException>(() => StreamOf(new string('x', MessageStream.MostHeaderBytes + 1)).Read());

    [Fact]
    public void Random_bytes_are_messages_or_refused()
    {
        var random = new Random(1);
        for (var i = 0; i < 10_000; i++)
        {
            var bytes = new byte[random.Next(60)];
            random.NextBytes(bytes);
            var text = (random.Next(2) == 0 ? "Content-Length: 9\r\n" : "") + Encoding.Latin1.GetString(bytes);
            try
            {
                StreamOf(text).Read();
            }
            catch (FormatException)
            {
                // Refused.
            }
        }
    }

    [Fact]
    public void A_message_that_is_written_is_read()
    {
        using var written = new MemoryStream();
        new MessageStream(Stream.Null, written).Write(new { Text = "é{}", Nothing = (string?)null });
        Assert.StartsWith("Content-Length: 19\r\n\r\n{", Encoding.UTF8.GetString(written.ToArray()));
        var read = StreamOf(Encoding.UTF8.GetString(written.ToArray())).Read()!;
        Assert.Equal("é{}", System.Text.Json.JsonDocument.Parse(read).RootElement.GetProperty("text").GetString());
    }

    private static MessageStream StreamOf(string bytes) =>
        new(new MemoryStream(Encoding.UTF8.GetBytes(bytes)), Stream.Null);
}
