namespace Emu.Core.Tests;

/// <summary>SipHash-2-4 against the vectors of its authors.</summary>
public sealed class SipHashTests
{
    private static readonly UInt128 s_key = new(0x0001_0203_0405_0607, 0x0809_0A0B_0C0D_0E0F);

    // Aumasson and Bernstein 2012, appendix A, and vectors_sip64 of their reference code.
    [Theory]
    [InlineData(0, 0x726F_DB47_DD0E_0E31)]
    [InlineData(1, 0x74F8_39C5_93DC_67FD)]
    [InlineData(8, 0x93F5_F579_9A93_2462)]
    [InlineData(15, 0xA129_CA61_49BE_45E5)]
    [InlineData(16, 0x3F2A_CC7F_57C2_9BDB)]
    public void Hashes_are_those_of_the_paper(int length, ulong hash) =>
        Assert.Equal(hash, SipHash.Compute(s_key, Message(length)));

    [Fact]
    public void Words_give_what_their_bytes_give()
    {
        var hash = new SipHash(s_key);
        hash.Add(0x0706_0504_0302_0100);
        hash.Add(SipHash.LastWord(11, Message(11).AsSpan(8)));
        hash.End();
        for (var i = 0; i < SipHash.LastWords; i++) hash.Add(0);
        Assert.Equal(SipHash.Compute(s_key, Message(11)), hash.Value);
    }

    [Fact]
    public void A_message_of_words_is_one_of_their_bytes() =>
        Assert.Equal(
            SipHash.Compute(s_key, Message(16)), SipHash.Of(s_key, 0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908));

    private static byte[] Message(int length) => [.. Enumerable.Range(0, length).Select(i => (byte)i)];
}
