namespace Emu.Services;

/// <summary>
/// A rule, in a row that goes only forward: a chain that is jumped to stands behind each jump to it.
/// </summary>
/// <param name="Verdict">The verdict if its terms hold; none for a rule that only goes on.</param>
/// <param name="FirstTerm">Its first term.</param>
/// <param name="EndTerm">Behind its last term.</param>
/// <param name="Then">The step that is next if the terms hold.</param>
/// <param name="Else">The step that is next if not.</param>
internal readonly record struct Step(Verdict Verdict, int FirstTerm, int EndTerm, int Then, int Else);
